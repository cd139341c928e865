/** Opens zips as builds do: bytes after the archive, such as a page that its web server has added, do not matter. */

import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fromBufferPromise, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

/** How many of the last bytes of a file are searched for the end of the archive. */
const TAIL_BYTES = 1 << 20;
const CHUNK_BYTES = 1 << 16;
/** How much is read at once for the small records that say which files there are. */
const PAGE_BYTES = 1 << 16;
/** The record that ends an archive: its length without the comment, and where it says how long parts are. */
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const END_BYTES = 22;
const DIRECTORY_LENGTH = 12;
const DIRECTORY_START = 16;
const COMMENT_LENGTH = 20;
/** How many places that look like the end of an archive are tried. */
const MAX_TRIES = 1000;
/** In large archives another record has the length and the start of the directory. */
const ELSEWHERE = 0xffff_ffff;

/** How names in a zip are read. */
interface ZipOptions {
  /** Whether names with a backslash are refused; otherwise it is taken as a slash. */
  readonly strictFileNames?: boolean;
}

/** Calls `read` with the archive, and closes it afterwards. */
export async function withZipFile<T>(
  path: string,
  read: (zip: ZipFile) => Promise<T>,
  options: ZipOptions = {},
): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const { buffer: tail } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const end = endOfArchive(tail, start);
    return await read(await fromRandomAccessReaderPromise(new FileReader(file), end, { ...options, autoClose: false }));
  } finally {
    await file.close();
  }
}

/** Opens an archive in memory. */
export function zipOf(bytes: Buffer): Promise<ZipFile> {
  const start = Math.max(0, bytes.length - TAIL_BYTES);
  return fromBufferPromise(bytes.subarray(0, endOfArchive(bytes.subarray(start), start)));
}

/**
 * Where the archive ends, or if that is not found, where the file ends. `tail` has the last bytes of the file, from
 * `start` on.
 */
function endOfArchive(tail: Buffer, start: number): number {
  let at = tail.length;
  for (let tries = 0; tries < MAX_TRIES && at > 0; tries += 1) {
    at = tail.lastIndexOf(END_SIGNATURE, at - 1);
    const end = at < 0 ? undefined : endOfRecord(tail.subarray(at), start + at);
    if (end !== undefined) return end;
  }
  return start + tail.length;
}

/** Where the last record of an archive ends; undefined for bytes that only begin like this record. */
function endOfRecord(record: Buffer, position: number): number | undefined {
  if (record.length < END_BYTES) return undefined;
  const length = END_BYTES + record.readUInt16LE(COMMENT_LENGTH);
  const directory = [record.readUInt32LE(DIRECTORY_START), record.readUInt32LE(DIRECTORY_LENGTH)] as const;
  const isBefore = directory.includes(ELSEWHERE) || directory[0] + directory[1] <= position;
  return isBefore && length <= record.length ? position + length : undefined;
}

/** Reads parts of an open file. */
class FileReader extends RandomAccessReader {
  /** The bytes read last, and where they begin. */
  #page: Buffer = Buffer.alloc(0);
  #pageStart = 0;

  constructor(private readonly file: FileHandle) {
    super();
  }

  /** Reads a record. There are two or more for each file of the archive, mostly one after the other. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!this.#copyFromPage(buffer, offset, length, position)) {
      this.#readRecord(buffer, offset, length, position).then(
        (bytesRead) => callback(null, bytesRead),
        (error) => callback(error),
      );
      return;
    }
    // Callers expect the answer only after `read` has returned.
    process.nextTick(callback, null, length);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    // A read stream of the file would close it with the first part.
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  #copyFromPage(buffer: Buffer, offset: number, length: number, position: number): boolean {
    const start = position - this.#pageStart;
    if (start < 0 || start + length > this.#page.length) return false;
    this.#page.copy(buffer, offset, start, start + length);
    return true;
  }

  async #readRecord(buffer: Buffer, offset: number, length: number, position: number): Promise<number> {
    const page = Buffer.alloc(Math.max(length, PAGE_BYTES));
    const { bytesRead } = await this.file.read(page, 0, page.length, position);
    this.#page = page.subarray(0, bytesRead);
    this.#pageStart = position;
    return this.#copyFromPage(buffer, offset, length, position) ? length : bytesRead;
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const length = Math.min(CHUNK_BYTES, end - at);
      const { bytesRead, buffer } = await this.file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}
