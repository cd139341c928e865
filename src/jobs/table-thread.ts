/**
 * The thread that sums up reached amounts and makes the files of parts, so that servers can answer requests at the same
 * time.
 */

import { parentPort } from 'node:worker_threads';
import { UNREACHED } from '../analysis/matrix.js';
import { reachedAmounts } from './reach.js';
import type { Answer, Question } from './table-writer.js';
import { encodePart } from './tables.js';

/** Amounts of the destinations, by job. */
const known = new Map<string, readonly Int32Array[]>();

async function answer(question: Question): Promise<Float64Array | Uint8Array | undefined> {
  switch (question.type) {
    case 'encode':
      return encodePart(question.rows, UNREACHED);
    case 'sums':
      return reachedAmounts(question.seconds, known.get(question.job) ?? [], question.cutoffs);
    case 'amounts':
      known.set(question.job, question.amounts);
      return undefined;
    case 'forget':
      known.delete(question.job);
      return undefined;
  }
}

parentPort?.on('message', async ({ call, question }: { call: number; question: Question }) => {
  const outcome: Answer = await answer(question).then(
    (value) => ({ call, value }),
    (error: Error) => ({ call, error }),
  );
  const moved = 'value' in outcome && outcome.value !== undefined ? [outcome.value.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(outcome, moved);
});
