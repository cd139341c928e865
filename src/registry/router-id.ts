/** Router ids: which are legal, and which mean the default router. */

const LEGAL = /^[\p{L}\p{N}_-]*$/u;

/** What ids consist of, for messages. */
export const LEGAL_CHARACTERS = 'letters, digits, _ and -';

/** Longest accepted id; it names a directory, and file systems count bytes. */
const MAX_BYTES = 200;

/** Whether an id has only legal characters; the empty id is the root graph. No id leads out of the graphs directory. */
export function isLegalRouterId(id: string): boolean {
  return Buffer.byteLength(id) <= MAX_BYTES && LEGAL.test(id);
}

/** Whether a request for this id means "the default router": none, empty, or `default` in any case. */
export function meansDefault(id: string | undefined): boolean {
  return id === undefined || id === '' || id.toLowerCase() === 'default';
}
