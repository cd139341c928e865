/** Where a router's graph comes from: its sub-directory of the graphs directory, or an uploaded file. */

import path from 'node:path';
import type { ConfigWarning } from '../config/diagnostic.js';
import { EMPTY_ROUTER_CONFIG, parseRouterConfig, type RouterConfig } from '../config/router-config.js';
import { graphInfo } from '../native/graph-info.js';
import type { Graph, WorkProgress } from '../native/types.js';
import { removeClosed, removeIfPossible, removeUnfinished, unfinishedGraphName } from '../storage/unfinished.js';
import { type FileVersion, fileVersion, GRAPH_FILE, isUploaded, replaceFile, scenarioDirectory } from './graph-file.js';
import { graphContent } from './graph-format.js';
import { hasBuildInputs } from './inputs.js';
import type { Pin } from './pin.js';
import { readTextIfPresent, requireRegularFile } from './regular-file.js';

/** How a graph file is opened. */
export interface OpenOptions {
  /** Check all contents before the graph is used, instead of while it is. */
  readonly checkFirst?: boolean;
}

/** Opens and builds graphs: the addon in the server, a fake in tests. */
export interface GraphMaker {
  /** Maps a graph file; rejects when it is not a graph file, of another version, or damaged. */
  open(file: string, options?: OpenOptions): Promise<Graph>;
  /**
   * Builds the inputs in `directory` and writes the graph to `file`, which is complete and synced when the promise
   * resolves.
   */
  build(directory: string, file: string, onProgress?: (progress: WorkProgress) => void): Promise<unknown>;
}

/** An opened graph with the configuration that goes with it. */
export interface OpenedGraph {
  readonly graph: Graph;
  readonly config: RouterConfig;
  readonly warnings: readonly ConfigWarning[];
  /** Names the content of the graph's file; undefined for a graph without one. */
  readonly content?: string | undefined;
}

type ConfigWithWarnings = Pick<OpenedGraph, 'config' | 'warnings'>;

/** Settings of graph sources. */
export interface SourceOptions {
  /** Build a router whose directory has inputs but no graph. */
  readonly buildOnDemand: boolean;
  /** Start the updaters of configurations that came with an upload. */
  readonly uploadedUpdaters: boolean;
}

/** One place to load a graph from; `open` may be called again to reload. */
export interface GraphSource {
  /** Path of the graph file, for error messages and for other processes. */
  readonly file: string;
  /** `directory`: that of the router, which can be loaded again. `file`: one that exists only as long as the router. */
  readonly kind: 'directory' | 'file';
  /** An uploaded file is always checked first. */
  open(options?: OpenOptions): Promise<OpenedGraph>;
  /** The result of the last `open`. */
  readonly served: ServedGraph | undefined;
  /** Called when the router no longer needs this source. */
  discard(): Promise<void>;
}

/** The data that another process needs to serve the same graph. */
export interface ServedGraph {
  readonly kind: GraphSource['kind'];
  /** The graph file as messages show it; scenarios are beside it. */
  readonly file: string;
  /** The name that was opened: `file`, or another name of the same bytes. */
  readonly pinned: string;
  /** Whether to remove `pinned` when no process serves the graph any more. */
  readonly temporary: boolean;
  /** State of `file` when it was opened. */
  readonly version: FileVersion | undefined;
  /** Text of the router-config.json beside the graph. */
  readonly configText: string | undefined;
  /** Whether the graph, with the configuration stored in it, was uploaded. */
  readonly uploaded: boolean;
}

/** A router's directory has nothing to load. */
export class NoGraphError extends Error {
  readonly code = 'NO_GRAPH';
  constructor(readonly directory: string) {
    super(`no ${GRAPH_FILE} and no build inputs in ${directory}`);
  }
}

/** Options for opening copies of graph files instead of the files. */
interface Pinning {
  readonly pin: Pin;
  /** Whether other processes open the copies too; then the supervisor removes them. */
  readonly shared: boolean;
}

/**
 * `<graphs>/<id>/Graph.obj`. A router-config.json beside it has priority over the one stored in the graph. With
 * `pinning`, a copy is opened, so that overwriting the file does not change or end what is served.
 */
export class DirectorySource implements GraphSource {
  readonly kind = 'directory';
  readonly file: string;
  served: ServedGraph | undefined;

  constructor(
    readonly directory: string,
    private readonly maker: GraphMaker,
    private readonly options: SourceOptions,
    private readonly pinning?: Pinning,
  ) {
    this.file = path.join(directory, GRAPH_FILE);
  }

  async open(options?: OpenOptions): Promise<OpenedGraph> {
    if ((await fileVersion(this.file)) === undefined) await this.build();
    await requireRegularFile(this.file);
    // Read first, so that a wrong configuration is found without opening the graph.
    const configFile = configBeside(this.file);
    const configText = await readTextIfPresent(configFile);
    if (configText !== undefined) parseRouterConfig(configText, configFile);
    const found = await this.find(configText);
    try {
      const opened = await openServed(found, this.maker, this.options, options);
      this.served = found;
      // A copy that is open and that no other process opens needs no name.
      if (found.temporary && !this.pinning?.shared) await removeIfPossible(found.pinned);
      return opened;
    } catch (error) {
      if (found.temporary) await removeIfPossible(found.pinned);
      throw error;
    }
  }

  /**
   * The file stays. Processes that share a pinned graph remove the pin when all have released it. Without them, `open`
   * has removed it, except on Windows, which removes no open file.
   */
  async discard(): Promise<void> {
    if (this.served?.temporary && !this.pinning?.shared) await removeClosed(this.served.pinned);
  }

  private async find(configText: string | undefined): Promise<ServedGraph> {
    const { kind, file } = this;
    const version = await fileVersion(file);
    const pinned = this.pinning === undefined ? file : await this.pinning.pin(file);
    const uploaded = await isUploaded(file, version);
    return { kind, file, pinned, temporary: pinned !== file, version, configText, uploaded };
  }

  private async build(): Promise<void> {
    if (!this.options.buildOnDemand || !(await hasBuildInputs(this.directory))) throw new NoGraphError(this.directory);
    await removeUnfinished(this.directory);
    const unfinished = unfinishedGraphName(this.file);
    await this.maker.build(this.directory, unfinished);
    await replaceFile(unfinished, this.file);
  }
}

/** Who removes an uploaded file: its router when it is replaced or evicted, or the supervisor of several processes. */
type FileOwner = 'router' | 'supervisor';

/** A graph file that a client uploaded; kept until its router is replaced or evicted. */
export class UploadedSource implements GraphSource {
  readonly kind = 'file';
  served: ServedGraph | undefined;

  constructor(
    readonly file: string,
    private readonly maker: GraphMaker,
    private readonly owner: FileOwner,
    private readonly options: Pick<SourceOptions, 'uploadedUpdaters'>,
  ) {}

  async open(): Promise<OpenedGraph> {
    const version = await fileVersion(this.file);
    const found: ServedGraph = { ...builtFile(this.file), temporary: true, version, uploaded: true };
    const opened = await openServed(found, this.maker, this.options);
    this.served = found;
    return opened;
  }

  /** Removes the file and its scenarios. The supervisor does not know of a file that could not be opened. */
  async discard(): Promise<void> {
    if (this.owner === 'router' || this.served === undefined) await removeWithScenarios(this.file);
  }
}

/** A graph that another process serves, or that was built from the operator's inputs without a router's directory. */
export class SharedSource implements GraphSource {
  readonly kind: GraphSource['kind'];
  readonly file: string;

  constructor(
    readonly served: ServedGraph,
    private readonly maker: GraphMaker,
    private readonly options: Pick<SourceOptions, 'uploadedUpdaters'>,
  ) {
    this.kind = served.kind;
    this.file = served.file;
  }

  open(options?: OpenOptions): Promise<OpenedGraph> {
    return openServed(this.served, this.maker, this.options, options);
  }

  async discard(): Promise<void> {}
}

/** How to serve a graph that this process has built from the operator's inputs, outside the graphs directory. */
export function builtFile(file: string): ServedGraph {
  return {
    kind: 'file',
    file,
    pinned: file,
    temporary: false,
    version: undefined,
    configText: undefined,
    uploaded: false,
  };
}

/** Removes an uploaded graph file, with the scenarios of that graph. */
async function removeWithScenarios(file: string): Promise<void> {
  await removeClosed(file);
  await removeIfPossible(scenarioDirectory(file));
}

/** Removes the files that a graph was served from, unless they are permanent. */
export async function removeServed({ kind, pinned, temporary }: ServedGraph): Promise<void> {
  if (!temporary) return;
  if (kind === 'file') await removeWithScenarios(pinned);
  else await removeClosed(pinned);
}

async function openServed(
  { file, pinned, configText, uploaded }: ServedGraph,
  maker: GraphMaker,
  { uploadedUpdaters }: Pick<SourceOptions, 'uploadedUpdaters'>,
  { checkFirst = false }: OpenOptions = {},
): Promise<OpenedGraph> {
  const graph = await maker.open(pinned, { checkFirst: checkFirst || uploaded }).catch((error: Error) => {
    throw withShownFile(error, { file, pinned });
  });
  try {
    const content = await graphContent(pinned);
    if (configText !== undefined) return { graph, content, ...parseRouterConfig(configText, configBeside(file)) };
    const stored = embeddedConfig(graph);
    // The configuration in an uploaded graph is not the operator's.
    return { graph, content, ...(uploaded ? uploadedConfig(stored, uploadedUpdaters) : stored) };
  } catch (error) {
    graph.dispose();
    throw withShownFile(error as Error, { file, pinned });
  }
}

/** The error with the name of the file that operators know, instead of the name of the copy that was opened. */
export function withShownFile(error: Error, { file, pinned }: Pick<ServedGraph, 'file' | 'pinned'>): Error {
  error.message = error.message.replaceAll(pinned, file);
  return error;
}

function configBeside(graphFile: string): string {
  return path.join(path.dirname(graphFile), 'router-config.json');
}

/**
 * The part of an uploaded configuration that is trusted: it names no files for this server to write, and has no
 * updaters unless the operator allows them.
 */
function uploadedConfig({ config, warnings }: ConfigWithWarnings, uploadedUpdaters: boolean): ConfigWithWarnings {
  const limited = { ...config, requestLogFile: undefined, uploaded: true };
  if (uploadedUpdaters || config.updaters.length === 0) return { config: limited, warnings };
  const place = { file: EMBEDDED, key: 'updaters' };
  const fault = 'the configuration came with an upload and the setting uploadedUpdaters is off';
  const unused = { ...place, fault, outcome: 'so they are not started' };
  return { config: { ...limited, updaters: [] }, warnings: [...warnings, unused] };
}

const EMBEDDED = 'router-config.json stored in the graph';

/** The router-config.json stored in a graph when it was built, if any. */
function embeddedConfig(graph: Graph): ConfigWithWarnings {
  const text = graphInfo(graph).routerConfig;
  if (text === undefined || text.trim() === '') return { config: EMPTY_ROUTER_CONFIG, warnings: [] };
  return parseRouterConfig(text, EMBEDDED);
}
