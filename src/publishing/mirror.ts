/**
 * Brings published graphs into a graphs directory, where they are served like any others:
 *
 * - `.objects/<sha256>.obj`: the graphs;
 * - `<id>/published.json`: the pointer of the router and the manifest of its graph;
 * - `<id>/Graph.obj`, `<id>/router-config.json`, `<id>/Graph.uploaded.json`: what that pointer means.
 *
 * The first two are the truth; the others are made again when they do not agree with it.
 */

import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { parseRouterConfig } from '../config/router-config.js';
import { isLegalRouterId } from '../config/router-id.js';
import type { Graph } from '../native/types.js';
import { fileVersion, GRAPH_FILE, noteUpload, routerDirectory } from '../registry/graph-file.js';
import { GRAPH_FORMAT } from '../registry/graph-format.js';
import type { PublishedGraphs } from '../registry/published.js';
import { readTextIfPresent } from '../registry/regular-file.js';
import { makeDirectory } from '../storage/directory.js';
import { replaceContent } from '../storage/unfinished.js';
import { KEYS, type Manifest, type Pointer, readManifest, readPointer, routerOfKey } from './documents.js';
import type { GraphCache } from './graph-cache.js';
import { connectedOnce, type ObjectStore } from './object-store.js';
import { PublishingError } from './publishing-error.js';

/** Name of the file that says what a router's directory mirrors. */
const MIRROR_FILE = 'published.json';

/** The content of `published.json`. */
interface Mirrored {
  readonly pointer: Pointer;
  readonly manifest: Manifest;
}

/** What the mirror needs. */
interface MirrorDeps {
  readonly graphs: string;
  readonly cache: GraphCache;
  /** Connects to the store, at its first use. */
  readonly connect: () => Promise<ObjectStore>;
  /** Opens a graph, which checks it. */
  readonly open: (file: string) => Promise<Pick<Graph, 'dispose'>>;
  readonly logger: Logger;
}

/** The publications below an address. */
export class GraphMirror implements PublishedGraphs {
  /** Pointers as they were last seen, with their tags. */
  readonly #pointers = new Map<string, { readonly tag: string; readonly pointer: Pointer }>();
  readonly #connected: () => Promise<ObjectStore>;

  constructor(private readonly deps: MirrorDeps) {
    this.#connected = connectedOnce(deps.connect);
  }

  async ids(): Promise<string[]> {
    const store = await this.#connected();
    const ids = (await store.list(KEYS.pointers)).map(routerOfKey);
    return ids.filter((id) => id !== undefined).filter((id) => isLegalRouterId(id));
  }

  async mirrored(): Promise<string[]> {
    const ids = (await readdir(this.deps.graphs).catch(() => [])).filter(isLegalRouterId);
    const known = await Promise.all(ids.map((id) => this.#readMirrored(id)));
    return ids.filter((_, i) => known[i] !== undefined);
  }

  async newPublication(id: string): Promise<string | undefined> {
    // `mirror` reports a pointer that cannot be read; until it can be, the message stands for its content.
    const pointer = await this.#pointer(id).catch((error) => {
      if (error instanceof PublishingError && error.code !== 'STORE_FAILED') return { id: error.message };
      throw error;
    });
    return pointer?.id === (await this.#readMirrored(id))?.pointer.id ? undefined : pointer?.id;
  }

  async restore(id: string): Promise<boolean> {
    return (await this.#restore(id)) !== undefined;
  }

  async mirror(id: string): Promise<boolean> {
    const present = await this.#restore(id);
    try {
      const pointer = await this.#pointer(id);
      if (pointer === undefined) throw await this.#notPublished(id);
      if (present?.pointer.id === pointer.id) return true;
      if (present === undefined) await this.#requireOwn(id);
      const manifest = await this.#manifest(pointer.sha256);
      await this.#fetch(manifest);
      await this.#check(pointer);
      await this.#place(id, { pointer, manifest });
      this.deps.logger.info({ router: id, sha256: pointer.sha256, publishedAt: pointer.publishedAt }, 'graph mirrored');
      return true;
    } catch (error) {
      this.deps.logger.error({ router: id, err: error }, 'published graph not taken');
      return false;
    }
  }

  /** The pointer of a router; undefined when there is none. */
  async #pointer(id: string): Promise<Pointer | undefined> {
    const store = await this.#connected();
    const known = this.#pointers.get(id);
    const key = KEYS.pointer(id);
    const found = await store.read(key, known?.tag);
    if (found === 'same') return known?.pointer;
    this.#pointers.delete(id);
    if (found === undefined) return undefined;
    const pointer = readPointer(found.text, id, store.address(key));
    this.#pointers.set(id, { tag: found.tag, pointer });
    return pointer;
  }

  async #manifest(sha256: string): Promise<Manifest> {
    const store = await this.#connected();
    const key = KEYS.manifest(sha256);
    const found = await store.read(key);
    if (typeof found !== 'object') throw new PublishingError('OBJECT_MISSING', `${store.address(key)} does not exist`);
    const manifest = readManifest(found.text, sha256, store.address(key));
    if (manifest.format === GRAPH_FORMAT) return manifest;
    const remedy =
      manifest.format < GRAPH_FORMAT ? 'build it with this version and publish it' : 'a later version built it';
    const message = `graph ${sha256} has format ${manifest.format}, but this version of Trestle reads format ${GRAPH_FORMAT}: ${remedy}`;
    throw new PublishingError('PUBLISHED_VERSION', message);
  }

  async #fetch(manifest: Manifest): Promise<void> {
    const store = await this.#connected();
    const { sha256, bytes } = manifest;
    await this.deps.cache.add(manifest, (take) => store.download(KEYS.graph(sha256), bytes, take));
  }

  /** Throws the error that loading the router would throw. */
  async #check({ sha256, router, routerConfig }: Pointer): Promise<void> {
    const { cache, open } = this.deps;
    if (routerConfig !== undefined) parseRouterConfig(routerConfig, `router-config.json published for ${router}`);
    const graph = await open(cache.file(sha256));
    graph.dispose();
  }

  /** Throws for a directory with a graph that was not mirrored, because that graph would be lost. */
  async #requireOwn(id: string): Promise<void> {
    const directory = routerDirectory(this.deps.graphs, id);
    const present = await Promise.all([GRAPH_FILE, MIRROR_FILE].map((name) => fileVersion(path.join(directory, name))));
    if (present[0] === undefined || present[1] !== undefined) return;
    const message = `${directory} holds a graph that was not mirrored; use another directory as the cache`;
    throw new PublishingError('CACHE_OCCUPIED', message);
  }

  /** After a crash at any moment, `#restore` completes the directory. */
  async #place(id: string, mirrored: Mirrored): Promise<void> {
    const directory = routerDirectory(this.deps.graphs, id);
    await makeDirectory(directory);
    await replaceContent(path.join(directory, MIRROR_FILE), JSON.stringify(mirrored));
    await this.#derive(id, mirrored);
  }

  /** Makes the files that `published.json` stands for. */
  async #derive(id: string, { pointer }: Mirrored): Promise<void> {
    const directory = routerDirectory(this.deps.graphs, id);
    const { sha256, routerConfig, uploaded } = pointer;
    const configFile = path.join(directory, 'router-config.json');
    if (routerConfig === undefined) await rm(configFile, { force: true });
    else if (routerConfig !== (await readTextIfPresent(configFile))) await replaceContent(configFile, routerConfig);
    await noteUpload(uploaded ? this.deps.cache.file(sha256) : undefined, directory);
    await this.deps.cache.linkTo(sha256, path.join(directory, GRAPH_FILE));
  }

  /**
   * What the directory mirrors; missing files are made again. If the graph is missing or damaged, the directory is
   * emptied and undefined is returned.
   */
  async #restore(id: string): Promise<Mirrored | undefined> {
    const mirrored = await this.#readMirrored(id);
    if (mirrored === undefined) return undefined;
    const { sha256 } = mirrored.pointer;
    const directory = routerDirectory(this.deps.graphs, id);
    const graph = path.join(directory, GRAPH_FILE);
    if (await this.deps.cache.holds(sha256)) {
      if (!(await isSameFile(this.deps.cache.file(sha256), graph))) await this.#derive(id, mirrored);
      return mirrored;
    }
    this.deps.logger.warn({ router: id, sha256 }, 'the mirrored graph is missing or damaged');
    await rm(graph, { force: true });
    await rm(path.join(directory, MIRROR_FILE), { force: true });
    return undefined;
  }

  /** What the directory mirrors; undefined if this version cannot read it, so that it is mirrored again. */
  async #readMirrored(id: string): Promise<Mirrored | undefined> {
    const file = path.join(routerDirectory(this.deps.graphs, id), MIRROR_FILE);
    const text = await readTextIfPresent(file);
    if (text === undefined) return undefined;
    try {
      const { pointer, manifest } = JSON.parse(text);
      const mirrored = {
        pointer: readPointer(JSON.stringify(pointer), id, file),
        manifest: readManifest(JSON.stringify(manifest), pointer.sha256, file),
      };
      return mirrored.manifest.format === GRAPH_FORMAT ? mirrored : undefined;
    } catch {
      return undefined;
    }
  }

  async #notPublished(id: string): Promise<PublishingError> {
    const store = await this.#connected();
    return new PublishingError('NOT_PUBLISHED', `${store.address(KEYS.pointer(id))} does not exist`);
  }
}

async function isSameFile(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([a, b].map((file) => stat(file).catch(() => undefined)));
  return first !== undefined && second !== undefined && first.ino === second.ino && first.dev === second.dev;
}
