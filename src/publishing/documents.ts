/**
 * What is in an object store below an address:
 *
 * - `graphs/<sha256>/Graph.obj`: a graph, named by its content, so it never changes;
 * - `graphs/<sha256>/manifest.json`: what that graph is and what it was made of;
 * - `routers/<id>.json`: the pointer of a router, which says which graph it serves.
 */

import { jsonOf } from '../json.js';
import type { InputFile } from '../registry/inputs.js';
import { PublishingError } from './publishing-error.js';

/** Version of both documents; raised when a reader of the previous version would misunderstand them. */
export const DOCUMENT_VERSION = 1;

/** The description of a graph. */
export interface Manifest {
  readonly version: typeof DOCUMENT_VERSION;
  /** Of the graph file, hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Format version of the graph file. */
  readonly format: number;
  /** Version of Trestle that published it. */
  readonly trestle: string;
  /** Epoch milliseconds. */
  readonly buildTime: number;
  readonly bounds: { readonly south: number; readonly west: number; readonly north: number; readonly east: number };
  /** First and last day of service; absent without transit. */
  readonly service?: { readonly first: string; readonly last: string };
  readonly timeZone: string;
  readonly counts: Readonly<Record<string, number>>;
  /** The inputs that the graph was built from; absent when its build left no report. */
  readonly inputs?: readonly InputFile[];
  /** Issues of the inputs by code; absent when its build left no report. */
  readonly issues?: ReadonlyArray<{ readonly code: string; readonly count: number }>;
}

/** Which graph a router serves. */
export interface Pointer {
  readonly version: typeof DOCUMENT_VERSION;
  /** Unique to each publication. */
  readonly id: string;
  readonly router: string;
  readonly sha256: string;
  /** ISO 8601. */
  readonly publishedAt: string;
  /** Text of the router-config.json that goes with the graph. */
  readonly routerConfig?: string;
  /** The graph, with the configuration stored in it, was uploaded to the publishing server. */
  readonly uploaded?: boolean;
  /** The graph before this one. */
  readonly former?: string;
}

/** Keys of the objects. */
export const KEYS = {
  graph: (sha256: string) => `graphs/${sha256}/Graph.obj`,
  manifest: (sha256: string) => `graphs/${sha256}/manifest.json`,
  pointer: (router: string) => `routers/${router}.json`,
  pointers: 'routers/',
} as const;

/** The router whose pointer has this key; undefined for other keys. */
export function routerOfKey(key: string): string | undefined {
  return /^routers\/([^/]+)\.json$/.exec(key)?.[1];
}

/** The document as it is stored. */
export function jsonOfDocument(document: Manifest | Pointer): string {
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** Throws `OBJECT_DAMAGED`, or `PUBLISHED_VERSION` for a later version. */
export function readManifest(text: string, sha256: string, where: string): Manifest {
  const manifest = readDocument<Manifest>(text, where);
  const complete =
    manifest.sha256 === sha256 &&
    isCount(manifest.bytes) &&
    manifest.bytes > 0 &&
    isCount(manifest.format) &&
    Number.isFinite(manifest.buildTime);
  if (!complete) throw damaged(where);
  return manifest;
}

/** Throws `OBJECT_DAMAGED`, or `PUBLISHED_VERSION` for a later version. */
export function readPointer(text: string, router: string, where: string): Pointer {
  const pointer = readDocument<Pointer>(text, where);
  const { routerConfig } = pointer;
  const complete =
    pointer.router === router &&
    typeof pointer.id === 'string' &&
    pointer.id !== '' &&
    /^[0-9a-f]{64}$/.test(pointer.sha256) &&
    (routerConfig === undefined || typeof routerConfig === 'string');
  if (!complete) throw damaged(where);
  return pointer;
}

function readDocument<T extends { version: number }>(text: string, where: string): T {
  const value = jsonOf(text) as { version?: unknown } | null | undefined;
  const version = value?.version;
  if (!isCount(version)) throw damaged(where);
  if (version !== DOCUMENT_VERSION) {
    const message = `${where} has version ${version}, but this version of Trestle reads version ${DOCUMENT_VERSION}`;
    throw new PublishingError('PUBLISHED_VERSION', message);
  }
  return value as T;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function damaged(where: string): PublishingError {
  return new PublishingError('OBJECT_DAMAGED', `${where} is not a Trestle document, or is incomplete`);
}
