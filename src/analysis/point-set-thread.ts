/** The thread that reads one point set. */

import { parentPort, workerData } from 'node:worker_threads';
import { PointSetError, PointSetTooLargeError } from './point-set.js';
import { readHere } from './point-set-file.js';
import type { ReadOutcome } from './point-set-reader.js';

try {
  const set = await readHere(String(workerData));
  const columns = [set.positions, ...[...set.properties.values()].map(({ amounts }) => amounts)];
  const outcome: ReadOutcome = { set };
  parentPort?.postMessage(
    outcome,
    columns.map(({ buffer }) => buffer as ArrayBuffer),
  );
} catch (error) {
  const outcome: ReadOutcome =
    error instanceof PointSetError
      ? { problem: error.message, tooLarge: error instanceof PointSetTooLargeError }
      : { failure: error as Error };
  parentPort?.postMessage(outcome);
}
