/** Graphs for jobs, by the hashes of their files: those of a graphs directory, and those in an object store. */

import path from 'node:path';
import { isLegalRouterId } from '../config/router-id.js';
import type { Graph } from '../native/types.js';
import { KEYS, readManifest } from '../publishing/documents.js';
import type { GraphCache } from '../publishing/graph-cache.js';
import type { ObjectStore } from '../publishing/object-store.js';
import { GRAPH_FILE, routerDirectory } from '../registry/graph-file.js';
import { fileSha256 } from '../storage/file-hash.js';
import { GraphMissing, type JobGraphs } from './open-jobs.js';

export type OpenGraph = (file: string) => Promise<Graph>;

/** Graphs of the routers in a directory. */
export class FolderGraphs implements JobGraphs {
  constructor(
    private readonly graphs: string,
    private readonly openFile: OpenGraph,
  ) {}

  async open(router: string, sha256: string): Promise<Graph> {
    if (!isLegalRouterId(router)) throw new GraphMissing(`there is no router ${router}`);
    const file = path.join(routerDirectory(this.graphs, router), GRAPH_FILE);
    return openIfSame(file, router, sha256, this.openFile);
  }
}

/** Opens a graph file if it has this hash. */
export async function openIfSame(file: string, router: string, sha256: string, open: OpenGraph): Promise<Graph> {
  const found = await fileSha256(file).catch((error: Error) => {
    throw new GraphMissing(`the graph of router ${router} cannot be read: ${error.message}`);
  });
  if (found !== sha256)
    throw new GraphMissing(`the job was made for graph ${sha256}, but router ${router} has ${found}`);
  return open(file);
}

/** Graphs that were published, including those that their routers no longer serve. */
export class StoredGraphs implements JobGraphs {
  constructor(
    private readonly connect: () => Promise<ObjectStore>,
    private readonly cache: GraphCache,
    private readonly openFile: OpenGraph,
  ) {}

  async open(_router: string, sha256: string): Promise<Graph> {
    if (!(await this.cache.holds(sha256))) await this.#download(sha256);
    return this.openFile(this.cache.file(sha256));
  }

  async #download(sha256: string): Promise<void> {
    const store = await this.connect();
    const key = KEYS.manifest(sha256);
    const found = await store.read(key);
    if (typeof found !== 'object') throw new GraphMissing(`${store.address(key)} does not exist`);
    const manifest = readManifest(found.text, sha256, store.address(key));
    await this.cache.add(manifest, (take) => store.download(KEYS.graph(sha256), manifest.bytes, take));
  }
}
