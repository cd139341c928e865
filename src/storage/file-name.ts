/** Ids that name files. */

/** File systems count bytes, and most of them allow 255; a file that is being written has a longer name. */
const MAX_BYTES = 200;

/** Whether an id is short enough to name a file or directory. */
export function fitsFileName(id: string): boolean {
  return Buffer.byteLength(id) <= MAX_BYTES;
}
