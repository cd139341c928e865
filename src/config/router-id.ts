/** Router ids: which are legal, and which mean the default router. */

import { fitsFileName } from '../storage/file-name.js';

const LEGAL = /^[\p{L}\p{N}_-]*$/u;

/** What ids consist of, for messages. */
export const LEGAL_CHARACTERS = 'letters, digits, _ and -';

/** Whether an id has only legal characters; the empty id is the root graph. No id leads out of the graphs directory. */
export function isLegalRouterId(id: string): boolean {
  return fitsFileName(id) && LEGAL.test(id);
}

/** Whether a request for this id means "the default router": none, empty, or `default` in any case. */
export function meansDefault(id: string | undefined): boolean {
  return id === undefined || id === '' || id.toLowerCase() === 'default';
}
