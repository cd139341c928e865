/** Graph files as bytes: the positions of their columns, and checksums that match their content. */

import { xxh3 } from './xxh3.js';

const HEADER_BYTES = 64;
const ALIGNMENT = 64;
const DIRECTORY_AT = 24;
const CHECKSUM_AT = 32;
/** Bytes of a row of the directory before its name. */
const ROW_BYTES = 32;

/** A column: its bytes in the file, a view that can be written to. */
export interface StoredColumn {
  name: string;
  elementBytes: number;
  values: Buffer;
  /** The position of its checksum. */
  checksumAt: number;
  /** The values and what fills them up to the next column. */
  checked: Buffer;
}

/** The columns of a graph file. */
export function storedColumns(file: Buffer): StoredColumn[] {
  let at = Number(file.readBigUInt64LE(DIRECTORY_AT)) + 4;
  return Array.from({ length: file.readUInt32LE(at - 4) }, () => {
    const nameEnd = at + ROW_BYTES + file.readUInt32LE(at);
    const [offset, length] = [file.readBigUInt64LE(at + 8), file.readBigUInt64LE(at + 16)].map(Number) as [
      number,
      number,
    ];
    const column = {
      name: file.toString('utf8', at + ROW_BYTES, nameEnd),
      elementBytes: file.readUInt32LE(at + 4),
      values: file.subarray(offset, offset + length),
      checksumAt: at + 24,
      checked: file.subarray(offset, offset + Math.ceil(length / ALIGNMENT) * ALIGNMENT),
    };
    at = nameEnd;
    return column;
  });
}

/** The checksum that the header of a graph file holds: of its directory, which holds those of the columns. */
export function storedChecksum(file: Buffer): bigint {
  return file.readBigUInt64LE(CHECKSUM_AT);
}

/** Shorter texts have checksums of other kinds. */
const LEAST_HASHED = 241;

/**
 * Writes the checksums of a graph file's present content into its directory and its header. Short columns keep theirs:
 * nothing changes them.
 */
export function mendChecksums(file: Buffer): void {
  const long = storedColumns(file).filter(({ checked }) => checked.length >= LEAST_HASHED);
  for (const { checked, checksumAt } of long) file.writeBigUInt64LE(xxh3(checked), checksumAt);
  file.writeBigUInt64LE(0n, CHECKSUM_AT);
  const directory = file.subarray(Number(file.readBigUInt64LE(DIRECTORY_AT)));
  file.writeBigUInt64LE(xxh3(Buffer.concat([directory, file.subarray(0, HEADER_BYTES)])), CHECKSUM_AT);
}
