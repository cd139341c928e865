/** Progress on standard error: a bar on a terminal, plain lines otherwise. */

import type { SingleBar } from 'cli-progress';

/** The progress of a piece of work; `fraction` is 0 to 1 within the step. */
type ProgressListener = (step: string, fraction: number) => void;

/** Shows the steps of a piece of work. */
export interface ProgressDisplay {
  readonly listener: ProgressListener;
  /** Ends the display; nothing may be reported after it. */
  stop(): void;
}

/** Shows progress on standard error, so that standard output has only the result of the command. */
export async function progressDisplay(stream: NodeJS.WriteStream = process.stderr): Promise<ProgressDisplay> {
  if (!stream.isTTY) return endsOfSteps((step, seconds) => stream.write(`${step}: ${seconds.toFixed(1)} s\n`));
  const { SingleBar } = await import('cli-progress');
  return bars((format) => new SingleBar({ format, stream, barsize: 30, hideCursor: true }));
}

/** Reports the end of each step, with its seconds. */
export function endsOfSteps(report: (step: string, seconds: number) => void): ProgressDisplay {
  let current = '';
  let startedAt = Date.now();
  const finish = () => {
    if (current !== '') report(current, (Date.now() - startedAt) / 1000);
    current = '';
  };
  const listener: ProgressListener = (step) => {
    if (step === current) return;
    finish();
    current = step;
    startedAt = Date.now();
  };
  return { listener, stop: finish };
}

/** Steps of the bar: tenths of a percent. */
const RESOLUTION = 1000;

/** A step that has taken less has no estimate of the rest yet, milliseconds. */
const SHORTEST_MS = 3000;

/** One bar per step. */
function bars(newBar: (format: string) => SingleBar): ProgressDisplay {
  const format = '{step} {bar} {percentage}% | {rate}%/s | {duration_formatted}{rest}';
  let bar: SingleBar | undefined;
  let current = '';
  let startedAt = 0;
  const rate = (fraction: number) => ((fraction * 100_000) / Math.max(1, Date.now() - startedAt)).toFixed(1);
  const finish = () => {
    bar?.update(RESOLUTION, { rest: '' });
    bar?.stop();
    bar = undefined;
  };
  const listener: ProgressListener = (step, fraction) => {
    if (step !== current) {
      finish();
      current = step;
      startedAt = Date.now();
      bar = newBar(format);
      bar.start(RESOLUTION, 0, { step: step.padEnd(22), rate: '0.0', rest: '' });
    }
    const rest = restOf(fraction, Date.now() - startedAt);
    bar?.update(Math.round(fraction * RESOLUTION), { rate: rate(fraction), rest });
  };
  return { listener, stop: finish };
}

/** How long a step still takes if its pace stays the same; nothing while that would be a guess. */
export function restOf(fraction: number, ms: number): string {
  if (ms < SHORTEST_MS || fraction <= 0 || fraction >= 1) return '';
  const seconds = Math.ceil((ms / 1000) * (1 / fraction - 1));
  return ` | ${seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`;
}
