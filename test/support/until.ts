import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `condition` is true; gives up after `mostMs` and leaves the assertion to the test. */
export async function until(condition: () => boolean | Promise<boolean>, mostMs = 10_000): Promise<void> {
  const deadline = Date.now() + mostMs;
  while (!(await condition()) && Date.now() < deadline) await pause(10);
}
