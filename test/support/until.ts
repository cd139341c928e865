import { setTimeout as pause } from 'node:timers/promises';

/** A slow machine, or one that is busy with other tests, takes many times as long as an idle one. */
const MOST_SECONDS = 120;

/**
 * Waits until `condition` is true by checking it again and again. For states that no event reports to a test: the work
 * of other processes, files, and states inside a server. Where there is an event, wait for that.
 *
 * @param found says what is there instead when the time is over, which is an error.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  found: () => unknown = () => condition,
): Promise<void> {
  const deadline = performance.now() + MOST_SECONDS * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`still not so after ${MOST_SECONDS} s: ${found()}`);
    await pause(10);
  }
}
