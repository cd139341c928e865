/** A small town built by the addon, for tests that need a real graph. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadAddon } from '../../src/native/addon.js';
import type { BuildReport, Graph } from '../../src/native/types.js';
import { writeSample } from '../../src/sample/index.js';

/** A built town: its graph, where it lies, and what the build said. */
export interface SampleTown {
  readonly graph: Graph;
  readonly file: string;
  readonly report: BuildReport;
  /** Releases the graph and removes the files. */
  remove(): Promise<void>;
}

/** Writes and builds a village, the same one every time. */
export async function buildSampleTown(seed = 1): Promise<SampleTown> {
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-town-'));
  await writeSample(directory, { seed, size: 'village' });
  const { Graph } = await loadAddon();
  const report = await Graph.build(directory);
  const graph = await Graph.open(report.path);
  const remove = async () => {
    graph.dispose();
    await rm(directory, { recursive: true });
  };
  return { graph, file: report.path, report, remove };
}

/** A graph that the registry of one test cannot dispose of, as others use it too. */
export function sharedGraph(graph: Graph): Graph {
  return new Proxy(graph, {
    get(target, name) {
      if (name === 'dispose') return () => {};
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
