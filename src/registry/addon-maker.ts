import { loadAddon } from '../native/addon.js';
import { configuredBuild } from './build-options.js';
import type { GraphMaker } from './graph-source.js';

/** How the addon makes graphs: a build follows the configuration files beside its inputs. */
export async function addonMaker(): Promise<GraphMaker> {
  const { Graph } = await loadAddon();
  return {
    open: (file, options) => Graph.open(file, undefined, options),
    build: async (directory, output, onProgress) => {
      const { options } = await configuredBuild(directory);
      return Graph.build(directory, { ...options, output }, onProgress);
    },
  };
}
