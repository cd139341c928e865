/** Facts in the header of a graph file, read without opening the graph; see docs/formats.md. */

import { open } from 'node:fs/promises';

/** The version that the addon reads, as in `crates/engine/src/store`; a test compares them. */
export const GRAPH_FORMAT = 15;

/** Bytes 8 to 11; undefined when the file is shorter. */
export async function graphFormat(file: string): Promise<number | undefined> {
  return (await bytesAt(file, 8, 4))?.readUInt32LE();
}

/** Names the content of a graph file: its length and checksum. Undefined when the file is shorter than that. */
export async function graphContent(file: string): Promise<string | undefined> {
  const header = await bytesAt(file, 16, 24);
  return header && `${header.readBigUInt64LE()}-${header.subarray(16).toString('hex')}`;
}

async function bytesAt(file: string, position: number, length: number): Promise<Buffer | undefined> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
    return bytesRead === length ? buffer : undefined;
  } finally {
    await handle.close();
  }
}
