import { loadAddon } from '../native/addon.js';
import { configuredBuild } from '../registry/build-options.js';
import type { GraphMaker } from '../registry/native-store.js';
import { progressDisplay } from './progress.js';

/** The addon's way of making graphs, with progress on the terminal while it builds. */
export async function graphMaker(): Promise<GraphMaker> {
  const { Graph } = await loadAddon();
  return {
    open: (file) => Graph.open(file),
    build: async (directory, output, onProgress) => {
      const { options } = await configuredBuild(directory);
      const display = await progressDisplay();
      try {
        return await Graph.build(directory, { ...options, output }, (progress) => {
          display.listener(progress.step, progress.fraction);
          onProgress(progress);
        });
      } finally {
        display.stop();
      }
    },
  };
}
