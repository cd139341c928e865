import type { Logger } from 'pino';
import { addonMaker } from '../registry/addon-maker.js';
import type { GraphMaker } from '../registry/graph-source.js';
import { endsOfSteps, type ProgressDisplay, progressDisplay } from './progress.js';

/**
 * How the addon makes graphs for servers: builds show their progress on the terminal, or else in the log, because
 * programs that read it expect nothing else on standard error.
 */
export function graphMaker(logger: Logger): Promise<GraphMaker> {
  if (process.stderr.isTTY) return showing(() => progressDisplay());
  return showing((directory) =>
    endsOfSteps((step, seconds) => logger.info({ directory, step, seconds }, 'a step of the build is done')),
  );
}

async function showing(
  displayOf: (directory: string) => ProgressDisplay | Promise<ProgressDisplay>,
): Promise<GraphMaker> {
  const maker = await addonMaker();
  return {
    open: maker.open,
    build: async (directory, output, onProgress) => {
      const display = await displayOf(directory);
      try {
        return await maker.build(directory, output, (progress) => {
          display.listener(progress.step, progress.fraction);
          onProgress?.(progress);
        });
      } finally {
        display.stop();
      }
    },
  };
}
