/** The native addon. No other file loads it, and none before it is needed: `--help` works without. */

import type { BuildOptions, BuildProgress, BuildReport, Graph } from './types.js';

/** The addon's class of graphs. */
export interface GraphClass {
  /** Maps a graph file; rejects with a `GRAPH_…` code when it is none, of another version, or damaged. */
  open(path: string): Promise<Graph>;
  /** Builds the inputs in `directory`; configuration files are not read, their members are `options`. */
  build(
    directory: string,
    options?: BuildOptions,
    onProgress?: (progress: BuildProgress) => void,
  ): Promise<BuildReport>;
}

/** Loads the addon. */
export async function loadAddon(): Promise<{ Graph: GraphClass }> {
  const name: string = '#addon';
  try {
    return await import(name);
  } catch (error) {
    throw new Error('the native addon could not be loaded; build it with `npm run build:native`', { cause: error });
  }
}
