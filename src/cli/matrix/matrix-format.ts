/** Formats of matrix files: the bytes of the start, of rows, and of the end. */

import type { Schema } from 'apache-arrow';
import { csvField } from '../../analysis/csv-field.js';
import { UNREACHED } from '../../analysis/matrix.js';

/** A format of files to which rows can be appended. */
export interface MatrixFormat {
  /** How the file begins. */
  head(): Uint8Array;
  /** Rows of seconds, the first one that of origin number `first`. */
  rows(first: number, seconds: Int32Array): Uint8Array;
  /** How the file ends. */
  tail(): Uint8Array;
}

/** One line per origin: its id and the seconds to every destination, nothing where there is no path. */
export function csvMatrix(originIds: readonly string[], destinationIds: readonly string[]): MatrixFormat {
  const width = destinationIds.length;
  const line = (cells: readonly string[]) => `${cells.join(',')}\n`;
  return {
    head: () => Buffer.from(line(['origin', ...destinationIds].map(csvField))),
    rows: (first, seconds) => {
      const lines: string[] = [];
      for (let row = 0; row < seconds.length / width; row += 1) {
        const times = Array.from(seconds.subarray(row * width, (row + 1) * width), (s) =>
          s === UNREACHED ? '' : String(s),
        );
        lines.push(line([csvField(originIds[first + row] ?? ''), ...times]));
      }
      return Buffer.from(lines.join(''));
    },
    tail: () => new Uint8Array(),
  };
}

/** The mark at the end of an Arrow stream. */
const END_OF_STREAM_BYTES = 8;

/**
 * An Arrow IPC stream with one row per pair: `origin` and `destination` are row numbers of the two files (from 0),
 * `seconds` is null where there is no path.
 */
export async function arrowMatrix(destinationCount: number): Promise<MatrixFormat> {
  const arrow = await import('apache-arrow');
  const whole = new arrow.Int32();
  const schema: Schema = new arrow.Schema([
    new arrow.Field('origin', whole, false),
    new arrow.Field('destination', whole, false),
    new arrow.Field('seconds', whole, true),
  ]);
  const empty = arrow.tableToIPC(new arrow.Table(schema), 'stream');
  const head = empty.subarray(0, empty.length - END_OF_STREAM_BYTES);
  const column = (data: Int32Array) => arrow.makeData({ type: whole, length: data.length, nullCount: 0, data });
  // The same numbers in every slice; the first one is the longest.
  let destinations = new Int32Array();
  const rows = (first: number, seconds: Int32Array) => {
    const { length } = seconds;
    const origins = new Int32Array(length);
    for (let at = 0; at < length; at += destinationCount) {
      origins.fill(first + at / destinationCount, at, at + destinationCount);
    }
    if (destinations.length < length) destinations = origins.map((_, i) => i % destinationCount);
    const { nullBitmap, nullCount } = validity(seconds);
    const children = [
      column(origins),
      column(destinations.subarray(0, length)),
      arrow.makeData({ type: whole, length, nullCount, nullBitmap, data: seconds }),
    ];
    const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length, nullCount: 0, children });
    const stream = arrow.tableToIPC(new arrow.Table(new arrow.RecordBatch(schema, struct)), 'stream');
    // The part between the schema and the end of the stream, which is the batch.
    return stream.subarray(head.length, stream.length - END_OF_STREAM_BYTES);
  };
  return { head: () => head, rows, tail: () => empty.subarray(head.length) };
}

/** One bit for each number, the lowest bit first: 1 for a time, 0 for a place that is not reached. */
function validity(seconds: Int32Array): { nullBitmap: Uint8Array; nullCount: number } {
  const { length } = seconds;
  const nullBitmap = new Uint8Array(Math.ceil(length / 8));
  let times = 0;
  for (let from = 0; from < length; from += 8) {
    const end = Math.min(from + 8, length);
    let bits = 0;
    for (let i = from; i < end; i += 1) {
      if (seconds[i] !== UNREACHED) {
        bits |= 1 << (i - from);
        times += 1;
      }
    }
    nullBitmap[from >> 3] = bits;
  }
  return { nullBitmap, nullCount: length - times };
}
