/** Where a router's graph comes from: its sub-directory of the graphs directory, or a file that was sent. */

import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ConfigWarning } from '../config/diagnostic.js';
import { EMPTY_ROUTER_CONFIG, parseRouterConfig, type RouterConfig } from '../config/router-config.js';
import { GRAPH_FILE, removeHalfWritten, replaceFile, scenarioDirectory } from './graph-file.js';
import { hasBuildInputs } from './inputs.js';
import type { GraphHandle } from './router.js';

/** Opens and builds graphs: the addon in the server, a fake in tests. */
export interface GraphStore<G extends GraphHandle> {
  /** Maps a graph file; rejects when it is none, of another version, or damaged. */
  open(file: string): Promise<G>;
  /** Builds the inputs in `directory` and writes the graph to `file` (complete and synced when it resolves). */
  build(directory: string, file: string): Promise<void>;
  /** The router-config.json stored in the graph when it was built, if any. */
  embeddedRouterConfig(graph: G): string | undefined;
}

/** An opened graph with the configuration that goes with it. */
export interface OpenedGraph<G extends GraphHandle> {
  readonly graph: G;
  readonly config: RouterConfig;
  readonly warnings: readonly ConfigWarning[];
}

/** One place to load a graph from; `open` may be called again to reload. */
export interface GraphSource<G extends GraphHandle> {
  /** Path of the graph file, for messages and for telling other processes. */
  readonly file: string;
  /** `disk`: can be read again; `sent`: exists only as long as the router does. */
  readonly kind: 'disk' | 'sent';
  open(): Promise<OpenedGraph<G>>;
  /** State of the file when it was last opened. */
  readonly opened?: FileStamp | undefined;
  /** What identifies the present state of the file, to notice changes; undefined when it is not there. */
  stamp(): Promise<FileStamp | undefined>;
  /** Called when the router gave this source up for good. */
  discard(): Promise<void>;
}

/** Modification time and size of a graph file. */
export interface FileStamp {
  readonly mtimeMs: number;
  readonly size: number;
}

/** There is nothing to load in a router's directory. */
export class NoGraphError extends Error {
  readonly code = 'NO_GRAPH';
  constructor(readonly directory: string) {
    super(`no ${GRAPH_FILE} and no build inputs in ${directory}`);
  }
}

async function fileStamp(file: string): Promise<FileStamp | undefined> {
  try {
    const { mtimeMs, size } = await stat(file);
    return { mtimeMs, size };
  } catch {
    return undefined;
  }
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** `<graphs>/<id>/Graph.obj`, with the router-config.json beside it before the one stored in the graph. */
export class DirectorySource<G extends GraphHandle> implements GraphSource<G> {
  readonly kind = 'disk';
  readonly file: string;
  opened: FileStamp | undefined;

  constructor(
    readonly directory: string,
    private readonly store: GraphStore<G>,
    private readonly buildOnDemand: boolean,
  ) {
    this.file = path.join(directory, GRAPH_FILE);
  }

  async open(): Promise<OpenedGraph<G>> {
    if ((await fileStamp(this.file)) === undefined) await this.build();
    // Read first: a wrong configuration must not cost a mapping.
    const configFile = path.join(this.directory, 'router-config.json');
    const beside = await readIfPresent(configFile);
    const parsed = beside === undefined ? undefined : parseRouterConfig(beside, configFile);
    this.opened = await fileStamp(this.file);
    const graph = await this.store.open(this.file);
    const { config, warnings } = parsed ?? embeddedConfig(graph, this.store);
    return { graph, config, warnings };
  }

  stamp(): Promise<FileStamp | undefined> {
    return fileStamp(this.file);
  }

  async discard(): Promise<void> {}

  private async build(): Promise<void> {
    if (!this.buildOnDemand || !(await hasBuildInputs(this.directory))) throw new NoGraphError(this.directory);
    await removeHalfWritten(this.directory);
    const unfinished = `${this.file}.building`;
    await this.store.build(this.directory, unfinished);
    await replaceFile(unfinished, this.file);
  }
}

/** A graph file that a client sent; kept until its router is replaced or evicted. */
export class SentFileSource<G extends GraphHandle> implements GraphSource<G> {
  readonly kind = 'sent';

  constructor(
    readonly file: string,
    private readonly store: GraphStore<G>,
    private readonly owner: boolean,
  ) {}

  async open(): Promise<OpenedGraph<G>> {
    const graph = await this.store.open(this.file);
    const { config, warnings } = embeddedConfig(graph, this.store);
    // Whoever sends a graph does not get to name files that this server writes to.
    return { graph, config: { ...config, requestLogFile: undefined }, warnings };
  }

  stamp(): Promise<FileStamp | undefined> {
    return fileStamp(this.file);
  }

  /** Removes the file and the scenarios that belong to it, unless another process owns them. */
  async discard(): Promise<void> {
    if (!this.owner) return;
    await rm(this.file, { force: true });
    await rm(scenarioDirectory(this.file), { recursive: true, force: true });
  }
}

function embeddedConfig<G extends GraphHandle>(graph: G, store: GraphStore<G>) {
  const text = store.embeddedRouterConfig(graph);
  if (text === undefined || text.trim() === '') return { config: EMPTY_ROUTER_CONFIG, warnings: [] };
  return parseRouterConfig(text, 'router-config.json stored in the graph');
}
