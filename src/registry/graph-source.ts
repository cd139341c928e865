/** Where a router's graph comes from: its sub-directory of the graphs directory, or a file that was sent. */

import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ConfigWarning } from '../config/diagnostic.js';
import { EMPTY_ROUTER_CONFIG, parseRouterConfig, type RouterConfig } from '../config/router-config.js';
import {
  type FileStamp,
  fileStamp,
  GRAPH_FILE,
  isUploaded,
  removeHalfWritten,
  replaceFile,
  scenarioDirectory,
} from './graph-file.js';
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

type ConfigWithWarnings = Pick<OpenedGraph<never>, 'config' | 'warnings'>;

/** Settings of graph sources. */
export interface SourceOptions {
  /** Build a router whose directory has inputs but no graph. */
  readonly buildOnDemand: boolean;
  /** Start the updaters of configurations that came with an upload. */
  readonly uploadedUpdaters: boolean;
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

/** There is nothing to load in a router's directory. */
export class NoGraphError extends Error {
  readonly code = 'NO_GRAPH';
  constructor(readonly directory: string) {
    super(`no ${GRAPH_FILE} and no build inputs in ${directory}`);
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
    private readonly options: SourceOptions,
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
    return { graph, ...(parsed ?? (await this.embedded(graph))) };
  }

  stamp(): Promise<FileStamp | undefined> {
    return fileStamp(this.file);
  }

  async discard(): Promise<void> {}

  /** The configuration in a graph that was uploaded is not the operator's. */
  private async embedded(graph: G): Promise<ConfigWithWarnings> {
    const found = embeddedConfig(graph, this.store);
    return (await isUploaded(this.file, this.opened)) ? uploadedConfig(found, this.options.uploadedUpdaters) : found;
  }

  private async build(): Promise<void> {
    if (!this.options.buildOnDemand || !(await hasBuildInputs(this.directory))) throw new NoGraphError(this.directory);
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
    private readonly uploadedUpdaters: boolean,
  ) {}

  async open(): Promise<OpenedGraph<G>> {
    const graph = await this.store.open(this.file);
    return { graph, ...uploadedConfig(embeddedConfig(graph, this.store), this.uploadedUpdaters) };
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

/** A graph that this process has built from the operator's inputs, without a router's directory. */
export class BuiltFileSource<G extends GraphHandle> implements GraphSource<G> {
  readonly kind = 'sent';

  constructor(
    readonly file: string,
    private readonly store: GraphStore<G>,
  ) {}

  async open(): Promise<OpenedGraph<G>> {
    const graph = await this.store.open(this.file);
    return { graph, ...embeddedConfig(graph, this.store) };
  }

  stamp(): Promise<FileStamp | undefined> {
    return fileStamp(this.file);
  }

  async discard(): Promise<void> {}
}

/**
 * What counts of a configuration that came with an upload: it does not name files that this server writes to, and has
 * no updaters unless the operator allows them.
 */
function uploadedConfig({ config, warnings }: ConfigWithWarnings, uploadedUpdaters: boolean): ConfigWithWarnings {
  const limited = { ...config, requestLogFile: undefined, uploaded: true };
  if (uploadedUpdaters || config.updaters.length === 0) return { config: limited, warnings };
  const place = { file: EMBEDDED, line: 1, column: 1, key: 'updaters' };
  const message = 'not started: the configuration came with an upload, and the setting uploadedUpdaters is off';
  return { config: { ...limited, updaters: [] }, warnings: [...warnings, { ...place, message }] };
}

const EMBEDDED = 'router-config.json stored in the graph';

function embeddedConfig<G extends GraphHandle>(graph: G, store: GraphStore<G>): ConfigWithWarnings {
  const text = store.embeddedRouterConfig(graph);
  if (text === undefined || text.trim() === '') return { config: EMPTY_ROUTER_CONFIG, warnings: [] };
  return parseRouterConfig(text, EMBEDDED);
}
