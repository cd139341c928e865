/** Opens a zip as builds do: bytes after the archive, such as a page that its web server has added, do not matter. */

import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';

/** How many of the last bytes of a file are searched for the end of the archive. */
const TAIL_BYTES = 1 << 20;
const CHUNK_BYTES = 1 << 16;
/** The record that ends an archive: its length without the comment, and where it says how long parts are. */
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const END_BYTES = 22;
const DIRECTORY_LENGTH = 12;
const DIRECTORY_START = 16;
const COMMENT_LENGTH = 20;
/** In large archives another record has the length and the start of the directory. */
const ELSEWHERE = 0xffff_ffff;

/** Calls `read` with the archive, and closes it afterwards. */
export async function withZipFile<T>(path: string, read: (zip: ZipFile) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const end = await endOfArchive(file, size);
    return await read(await fromRandomAccessReaderPromise(new FileReader(file), end, { autoClose: false }));
  } finally {
    await file.close();
  }
}

/** Where the archive ends; the end of the file if that is not found. */
async function endOfArchive(file: FileHandle, size: number): Promise<number> {
  const start = Math.max(0, size - TAIL_BYTES);
  const { buffer: tail } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  for (let at = tail.length; at > 0; ) {
    at = tail.lastIndexOf(END_SIGNATURE, at - 1);
    const end = at < 0 ? undefined : endOfRecord(tail.subarray(at), start + at);
    if (end !== undefined) return end;
  }
  return size;
}

/** Where the record that ends an archive ends itself; undefined if it is none, but bytes that begin like one. */
function endOfRecord(record: Buffer, position: number): number | undefined {
  if (record.length < END_BYTES) return undefined;
  const length = END_BYTES + record.readUInt16LE(COMMENT_LENGTH);
  const directory = [record.readUInt32LE(DIRECTORY_START), record.readUInt32LE(DIRECTORY_LENGTH)] as const;
  const isBefore = directory.includes(ELSEWHERE) || directory[0] + directory[1] <= position;
  return isBefore && length <= record.length ? position + length : undefined;
}

/** Reads parts of an open file. */
class FileReader extends RandomAccessReader {
  constructor(private readonly file: FileHandle) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    // A read stream of the file would close it with the first part.
    return Readable.from(this.#chunks(start, end), { objectMode: false });
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
