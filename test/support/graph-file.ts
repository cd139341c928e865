/** Graph files as bytes: the positions of their columns, and a checksum that matches their content. */

import { xxh3 } from './xxh3.js';

const HEADER_BYTES = 64;
const DIRECTORY_AT = 24;
const CHECKSUM_AT = 32;

/** A column: its bytes in the file, a view that can be written to. */
export interface StoredColumn {
  name: string;
  elementBytes: number;
  values: Buffer;
}

/** The columns of a graph file. */
export function storedColumns(file: Buffer): StoredColumn[] {
  let at = Number(file.readBigUInt64LE(DIRECTORY_AT)) + 4;
  return Array.from({ length: file.readUInt32LE(at - 4) }, () => {
    const nameEnd = at + 24 + file.readUInt32LE(at);
    const [offset, length] = [file.readBigUInt64LE(at + 8), file.readBigUInt64LE(at + 16)].map(Number) as [
      number,
      number,
    ];
    const column = {
      name: file.toString('utf8', at + 24, nameEnd),
      elementBytes: file.readUInt32LE(at + 4),
      values: file.subarray(offset, offset + length),
    };
    at = nameEnd;
    return column;
  });
}

/** The checksum that the header of a graph file holds. */
export function storedChecksum(file: Buffer): bigint {
  return file.readBigUInt64LE(CHECKSUM_AT);
}

/** Writes the checksum of a graph file's present content into its header. */
export function mendChecksum(file: Buffer): void {
  file.writeBigUInt64LE(0n, CHECKSUM_AT);
  const hashed = Buffer.concat([file.subarray(HEADER_BYTES), file.subarray(0, HEADER_BYTES)]);
  file.writeBigUInt64LE(xxh3(hashed), CHECKSUM_AT);
}
