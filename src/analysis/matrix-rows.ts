/** Rows of a matrix of travel times. */

import { nextTurn } from '../turns.js';
import { UNREACHED } from './matrix.js';

/** Times that are written without a pause, which takes about a millisecond. */
const TIMES_PER_PIECE = 10_000;

/** Rows of times as JSON, with commas between them, in pieces so that other requests get their turn. */
export async function* matrixRows(times: Int32Array, width: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < times.length; start += TIMES_PER_PIECE) {
    if (start > 0) await nextTurn();
    yield Buffer.from(rowPiece(times, width, start));
  }
}

function rowPiece(times: Int32Array, width: number, start: number): string {
  const end = Math.min(times.length, start + TIMES_PER_PIECE);
  let text = '';
  for (let i = start; i < end; i += 1) {
    if (i % width > 0) text += ',';
    else text += i === 0 ? '[' : '],[';
    text += times[i] === UNREACHED ? 'null' : times[i];
  }
  return end === times.length ? `${text}]` : text;
}
