/** Graphs that the addon has built. */

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestFn } from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import type { BuildOptions, BuildReport, Graph, Surface, TripGraph } from '../../src/native/types.js';
import { SHARED } from './needs.js';

/** A built graph, its file, and the report of the build. */
export interface BuiltGraph {
  readonly graph: Graph & TripGraph;
  readonly file: string;
  readonly report: BuildReport;
  /** Releases the graph and removes the files. */
  remove(): Promise<void>;
}

/** A graph that is built before the tests of a file, and removed after them. */
export function builtBefore(test: TestFn, build: () => Promise<BuiltGraph>): BuiltGraph {
  let built: BuiltGraph;
  test.before(async () => {
    built = await build();
  });
  const remove = async () => built?.remove();
  test.after.always(remove);
  return {
    get graph() {
      return built.graph;
    },
    get file() {
      return built.file;
    },
    get report() {
      return built.report;
    },
    remove,
  };
}

/** Builds a graph in a new directory from the inputs that `write` puts there. */
export async function buildGraph(
  write: (directory: string) => Promise<unknown>,
  options: BuildOptions = {},
): Promise<BuiltGraph> {
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-graph-'));
  await write(directory);
  const { Graph } = await loadAddon();
  return openBuilt(directory, await Graph.build(directory, options));
}

/** Builds the graph of a city in the data beside the repository. */
export function buildCity(city: string): Promise<BuiltGraph> {
  return buildGraph((directory) => cp(path.join(SHARED, city), directory, { recursive: true }));
}

/** Opens a graph that is built; releasing it removes its directory. */
export async function openBuilt(directory: string, report: BuildReport): Promise<BuiltGraph> {
  const { Graph } = await loadAddon();
  const graph = await Graph.open(report.path);
  const remove = async () => {
    graph.dispose();
    await rm(directory, { recursive: true });
  };
  return { graph, file: report.path, report, remove };
}

/** The same graph for several applications, perhaps with other members: none of them disposes of it. */
export function sharedGraph(graph: Graph, members: Readonly<Record<string, unknown>> = {}): Graph {
  return new Proxy(graph, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return members[String(name)];
      if (name === 'dispose') return () => {};
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** The graph, which adds the surfaces that it makes to a list. */
export function listingSurfaces(graph: Graph, made: Surface[]): Graph {
  const listed = async <T extends Surface | Surface[]>(making: Promise<T>) => {
    const found = await making;
    made.push(...[found].flat());
    return found;
  };
  return sharedGraph(graph, {
    surface: (...args: Parameters<Graph['surface']>) => listed(graph.surface(...args)),
    windowSurfaces: (...args: Parameters<Graph['windowSurfaces']>) => listed(graph.windowSurfaces(...args)),
  });
}

/** Whether a surface has been disposed of. */
export function isDisposed(surface: Surface): boolean {
  try {
    surface.memoryBytes();
    return false;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'DISPOSED') return true;
    throw error;
  }
}
