import { addonMaker } from '../registry/addon-maker.js';
import type { GraphMaker } from '../registry/native-store.js';
import { progressDisplay } from './progress.js';

/** How the addon makes graphs for commands: builds show their progress on the terminal. */
export async function graphMaker(): Promise<GraphMaker> {
  const maker = await addonMaker();
  return {
    open: maker.open,
    build: async (directory, output, onProgress) => {
      const display = await progressDisplay();
      try {
        return await maker.build(directory, output, (progress) => {
          display.listener(progress.step, progress.fraction);
          onProgress(progress);
        });
      } finally {
        display.stop();
      }
    },
  };
}
