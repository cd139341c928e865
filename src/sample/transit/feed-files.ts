import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { openFileStream } from '../../storage/file-stream.js';

/** A table of a feed: its name without `.txt`, its columns, its rows as they are written. */
export interface Table {
  name: string;
  columns: readonly string[];
  rows: Iterable<readonly (string | number)[]>;
}

const CHUNK = 1 << 16;

/** Writes a feed as a zip. Rows are produced while they are compressed; equal tables give equal bytes. */
export async function writeFeed(path: string, tables: readonly Table[]): Promise<void> {
  const file = await openFileStream(path, 'w');
  const zip = new yazl.ZipFile();
  // Local fields: the archive stores wall-clock time without a zone.
  const mtime = new Date(2026, 0, 1);
  for (const table of tables) {
    const open = (callback: (error: unknown, stream: Readable) => void) => callback(null, Readable.from(chunks(table)));
    zip.addReadStreamLazy(`${table.name}.txt`, { mtime, mode: 0o100644, forceDosTimestamp: true }, open);
  }
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  zip.end();
  await pipeline(output, file);
}

function* chunks(table: Table): Generator<Buffer> {
  let text = `${table.columns.join(',')}\n`;
  for (const row of table.rows) {
    text += `${row.map(cell).join(',')}\n`;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text.length > 0) yield Buffer.from(text);
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
