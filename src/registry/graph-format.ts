/** Facts in the header of a graph file, read without opening the graph; see docs/formats.md. */

import { bytesAt } from './regular-file.js';

/** The version that the addon reads, as in `crates/engine/src/store`; a test compares them. */
export const GRAPH_FORMAT = 16;

/** Bytes 8 to 11; undefined when the file is shorter. */
export async function graphFormat(file: string): Promise<number | undefined> {
  const version = await bytesAt(file, 8, 4);
  return version.length < 4 ? undefined : version.readUInt32LE();
}

/** Names the content of a graph file: its length and checksum. Undefined when the file is shorter than that. */
export async function graphContent(file: string): Promise<string | undefined> {
  const header = await bytesAt(file, 16, 24);
  return header.length < 24 ? undefined : `${header.readBigUInt64LE()}-${header.subarray(16).toString('hex')}`;
}
