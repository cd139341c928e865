import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `condition` holds; gives up after ten seconds and leaves the complaint to the test. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition()) && Date.now() < deadline) await pause(10);
}
