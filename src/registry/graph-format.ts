/** The format version of graph files, without opening them. */

import { open } from 'node:fs/promises';

/** The version that the addon reads, as in `crates/engine/src/store`; a test compares them. */
export const GRAPH_FORMAT = 10;

/** Bytes 8 to 11 of a graph file, see docs/formats.md; undefined when it is shorter. */
export async function graphFormat(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 8);
    return bytesRead === 4 ? buffer.readUInt32LE() : undefined;
  } finally {
    await handle.close();
  }
}
