import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import { openFileStream } from '../../../src/storage/file-stream.js';

/** A table of a feed: its name without `.txt`, the first line of its file, its rows as they are written. */
export interface Table {
  name: string;
  header: string;
  rows: Iterable<readonly (string | number)[]>;
}

const CHUNK = 1 << 16;
/** Of all files, so that equal tables give equal bytes. */
const MODIFIED = new Date(Date.UTC(2026, 0, 1));

/** Writes a feed as a zip, whose files are compressed unless `stored`. Rows are produced while they are written. */
export async function writeFeed(path: string, tables: readonly Table[], stored = false): Promise<void> {
  const file = await openFileStream(path, 'w');
  const zip = new ZipArchive(stored ? { store: true } : { zlib: { level: 9 } });
  for (const table of tables) {
    zip.append(Readable.from(chunks(table)), { name: `${table.name}.txt`, date: MODIFIED, mode: 0o644 });
  }
  const written = pipeline(zip, file);
  await zip.finalize();
  await written;
}

function* chunks(table: Table): Generator<Buffer> {
  let text = `${table.header}\n`;
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
