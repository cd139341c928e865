/** Graphs for tests of publishing that never read a graph: any bytes with a manifest. */

import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { DOCUMENT_VERSION, type Manifest } from '../../src/publishing/documents.js';
import { GraphCache } from '../../src/publishing/graph-cache.js';
import { GraphMirror } from '../../src/publishing/mirror.js';
import type { ObjectStore } from '../../src/publishing/object-store.js';
import type { PreparedGraph } from '../../src/publishing/publish.js';
import { fileVersion } from '../../src/registry/graph-file.js';
import { GRAPH_FORMAT } from '../../src/registry/graph-format.js';
import { fileSha256 } from '../../src/storage/file-hash.js';
import { temporaryDirectory } from './temporary-directory.js';

/** A file of random bytes as a graph that is ready to be published. */
export async function preparedGraph(
  t: ExecutionContext,
  bytes = 1000,
  manifest: Partial<Manifest> = {},
  rest: Partial<PreparedGraph> = {},
): Promise<PreparedGraph> {
  const file = path.join(await temporaryDirectory(t), 'Graph.obj');
  await writeFile(file, randomBytes(bytes));
  return {
    file,
    version: await fileVersion(file),
    manifest: {
      version: DOCUMENT_VERSION,
      sha256: await fileSha256(file),
      bytes,
      format: GRAPH_FORMAT,
      trestle: '0.0.0',
      buildTime: Date.parse('2026-11-20T12:00:00Z'),
      bounds: { south: 0, west: 0, north: 1, east: 1 },
      timeZone: 'UTC',
      counts: {},
      ...manifest,
    },
    routerConfig: undefined,
    uploaded: false,
    ...rest,
  };
}

/** Options of a mirror in a test. */
export interface MirrorOptions {
  readonly maxBytes?: number;
  readonly open?: (file: string) => Promise<{ dispose(): void }>;
}

/** A mirror in a directory, with the messages of what it could not take. */
export function mirrorIn(graphs: string, connect: () => Promise<ObjectStore>, options: MirrorOptions = {}) {
  const failures: string[] = [];
  const log = { write: (line: string) => void failures.push(JSON.parse(line).err?.code ?? line) };
  const logger = pino({ level: 'error' }, log);
  const { maxBytes = Number.POSITIVE_INFINITY, open = async () => ({ dispose: () => {} }) } = options;
  const mirror = new GraphMirror({ graphs, cache: new GraphCache(graphs, maxBytes), connect, open, logger });
  /** Hash of the graph that the directory of a router holds. */
  const held = (id: string) => fileSha256(path.join(graphs, id, 'Graph.obj')).catch(() => undefined);
  const config = (id: string) => readFile(path.join(graphs, id, 'router-config.json'), 'utf8').catch(() => undefined);
  return { mirror, failures, held, config };
}
