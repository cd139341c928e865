/** Bars on a terminal. */

import { SingleBar } from 'cli-progress';
import type { ProgressDisplay, ProgressListener } from './progress.js';

/** Steps of the bar: tenths of a percent. */
const RESOLUTION = 1000;

/** One bar after the other, one a step. */
export function bars(stream: NodeJS.WriteStream): ProgressDisplay {
  const format = '{step} {bar} {percentage}% | {rate}%/s | {duration_formatted} | still {eta_formatted}';
  let bar: SingleBar | undefined;
  let current = '';
  let startedAt = 0;
  const rate = (fraction: number) => ((fraction * 100_000) / Math.max(1, Date.now() - startedAt)).toFixed(1);
  const finish = () => {
    bar?.update(RESOLUTION);
    bar?.stop();
    bar = undefined;
  };
  const listener: ProgressListener = (step, fraction) => {
    if (step !== current) {
      finish();
      current = step;
      startedAt = Date.now();
      bar = new SingleBar({ format, stream, barsize: 30, hideCursor: true });
      bar.start(RESOLUTION, 0, { step: step.padEnd(22), rate: '0.0' });
    }
    bar?.update(Math.round(fraction * RESOLUTION), { rate: rate(fraction) });
  };
  return { listener, stop: finish };
}
