/** Publishing a graph: it is uploaded under the hash of its content, then the router's pointer is moved to it. */

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { parseRouterConfig } from '../config/router-config.js';
import type { Graph } from '../native/types.js';
import { PRODUCT } from '../product.js';
import { type FileVersion, fileVersion, GRAPH_FILE, isSameVersion, isUploaded } from '../registry/graph-file.js';
import { graphFormat } from '../registry/graph-format.js';
import { readTextIfPresent } from '../registry/regular-file.js';
import { fileSha256 } from '../storage/file-hash.js';
import { dateOf } from '../zoned-time.js';
import { reportOf } from './build-report.js';
import { DOCUMENT_VERSION, jsonOfDocument, KEYS, type Manifest, type Pointer, readPointer } from './documents.js';
import type { ObjectStore, StoredText } from './object-store.js';
import { PublishingError } from './publishing-error.js';

/** A graph file with what belongs to it in its router's directory. */
export interface PreparedGraph {
  readonly file: string;
  readonly version: FileVersion | undefined;
  readonly manifest: Manifest;
  readonly routerConfig: string | undefined;
  readonly uploaded: boolean;
}

export interface Publication {
  readonly pointer: Pointer;
  readonly manifest: Manifest;
  /** False when the store had the graph already. */
  readonly uploaded: boolean;
  /** False when the pointer named the same graph and the same configuration already. */
  readonly moved: boolean;
}

interface PublishOptions {
  readonly router: string;
  /** Upload the graph and move the pointer even if they are there already. */
  readonly again?: boolean;
  readonly onProgress?: (fraction: number) => void;
}

/** Opens the graph of a directory, so that nothing is published that no server could open, and describes it. */
export async function prepareGraph(
  directory: string,
  open: (file: string) => Promise<Pick<Graph, 'info' | 'utcOffset' | 'dispose'>>,
): Promise<PreparedGraph> {
  const file = path.join(path.resolve(directory), GRAPH_FILE);
  const version = await fileVersion(file);
  const graph = await open(file);
  try {
    const configFile = path.join(path.dirname(file), 'router-config.json');
    const routerConfig = await readTextIfPresent(configFile);
    if (routerConfig !== undefined) parseRouterConfig(routerConfig, configFile);
    const facts = describe(graph);
    const report = await reportOf(path.dirname(file), facts.buildTime);
    const sha256 = await fileSha256(file);
    const format = (await graphFormat(file)) ?? 0;
    const bytes = version?.size ?? 0;
    const manifest = { version: DOCUMENT_VERSION, sha256, bytes, format, ...facts, ...report } as const;
    return { file, version, manifest, routerConfig, uploaded: await isUploaded(file, version) };
  } finally {
    graph.dispose();
  }
}

/**
 * Publishes a graph. Of several publications of a router at once, the first to move the pointer wins, and the others
 * reject with `PUBLISH_CONFLICT`. If anything fails, the pointer still names the previous graph.
 */
export async function publish(
  graph: PreparedGraph,
  store: ObjectStore,
  { router, again = false, onProgress }: PublishOptions,
): Promise<Publication> {
  const { manifest } = graph;
  const key = KEYS.pointer(router);
  const before = await store.read(key);
  const previous = await previousPointer(before, router, store, again);
  const uploaded = await provideGraph(graph, store, again, onProgress);
  const pointer = pointerTo(graph, router, previous);
  if (previous !== undefined && !again && sameContent(previous, pointer)) {
    return { pointer: previous, manifest, uploaded, moved: false };
  }
  await requireConditions(manifest, store);
  const condition = typeof before === 'object' ? { ifTag: before.tag } : ({ ifAbsent: true } as const);
  if (await store.write(key, jsonOfDocument(pointer), condition)) return { pointer, manifest, uploaded, moved: true };
  throw new PublishingError('PUBLISH_CONFLICT', await conflictMessage(router, store));
}

function describe(graph: Pick<Graph, 'info' | 'utcOffset'>) {
  const info = graph.info();
  const { transitServiceStarts: starts, transitServiceEnds: ends } = info;
  const { vertices, edges, stops, routes, patterns, trips } = info;
  return {
    trestle: PRODUCT.version,
    buildTime: Math.round(info.buildTime * 1000),
    bounds: {
      south: info.lowerLeftLatitude,
      west: info.lowerLeftLongitude,
      north: info.upperRightLatitude,
      east: info.upperRightLongitude,
    },
    // The end is the midnight after the last day.
    ...(starts === undefined || ends === undefined
      ? {}
      : { service: { first: dateOf(starts, graph), last: dateOf(ends - 1, graph) } }),
    timeZone: info.timeZone,
    counts: { vertices, edges, stops, routes, patterns, trips },
  };
}

/** A damaged pointer is an error, unless it is to be replaced. */
async function previousPointer(
  before: StoredText | 'same' | undefined,
  router: string,
  store: ObjectStore,
  again: boolean,
): Promise<Pointer | undefined> {
  if (typeof before !== 'object') return undefined;
  try {
    return readPointer(before.text, router, store.address(KEYS.pointer(router)));
  } catch (error) {
    if (again) return undefined;
    throw error;
  }
}

/** Uploads the graph and then its manifest, so that a manifest always means that the graph is complete. */
async function provideGraph(
  { file, version, manifest }: PreparedGraph,
  store: ObjectStore,
  again: boolean,
  onProgress?: (fraction: number) => void,
): Promise<boolean> {
  const { sha256, bytes } = manifest;
  const described = await store.read(KEYS.manifest(sha256));
  const present = described !== undefined && (await store.size(KEYS.graph(sha256))) === bytes;
  if (present && !again) return false;
  await store.upload(KEYS.graph(sha256), file, onProgress);
  const now = await fileVersion(file);
  if (!isSameVersion(now, version)) {
    throw new PublishingError('GRAPH_CHANGED', `${file} was replaced while it was being uploaded; publish it again`);
  }
  const condition = typeof described === 'object' ? { ifTag: described.tag } : ({ ifAbsent: true } as const);
  // If another publication of the same graph was first, its manifest has the same content.
  await store.write(KEYS.manifest(sha256), jsonOfDocument(manifest), condition);
  return true;
}

function pointerTo(
  { manifest, routerConfig, uploaded }: PreparedGraph,
  router: string,
  previous: Pointer | undefined,
): Pointer {
  return {
    version: DOCUMENT_VERSION,
    id: randomUUID(),
    router,
    sha256: manifest.sha256,
    publishedAt: new Date().toISOString(),
    ...(routerConfig === undefined ? {} : { routerConfig }),
    ...(uploaded ? { uploaded } : {}),
    ...(previous === undefined ? {} : { former: previous.sha256 }),
  };
}

function sameContent(a: Pointer, b: Pointer): boolean {
  return a.sha256 === b.sha256 && a.routerConfig === b.routerConfig && a.uploaded === b.uploaded;
}

/**
 * Asks the store to write the manifest only if it is absent. The manifest exists, so a store that writes it anyway
 * ignores conditions.
 */
async function requireConditions({ sha256 }: Manifest, store: ObjectStore): Promise<void> {
  const key = KEYS.manifest(sha256);
  const present = await store.read(key);
  if (typeof present !== 'object') throw new PublishingError('OBJECT_MISSING', `${store.address(key)} has vanished`);
  // Differs from the present text, because `write` would take the same text for its own, written by an earlier try.
  const other = present.text.endsWith('\n') ? present.text.trimEnd() : `${present.text}\n`;
  if (!(await store.write(key, other, { ifAbsent: true }))) return;
  const message = `${store.address('')} ignores If-None-Match: two publications at once could replace each other`;
  throw new PublishingError('STORE_UNCONDITIONAL', message);
}

async function conflictMessage(router: string, store: ObjectStore): Promise<string> {
  const begun = `somebody else has published router ${router} in the meantime`;
  const key = KEYS.pointer(router);
  const present = await store.read(key);
  if (typeof present !== 'object') return `${begun}, and withdrawn it; nothing was changed`;
  const { sha256, publishedAt } = readPointer(present.text, router, store.address(key));
  return `${begun}: it serves graph ${sha256} of ${publishedAt}. Publish again if yours is to replace it`;
}
