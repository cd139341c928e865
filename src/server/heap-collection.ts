/**
 * Returns unused memory of the JavaScript heap. Most of it was used by answers that were sent long ago; the runtime
 * keeps it for later answers, and after a router was removed there may be few of those.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Wait before the collection: running requests end, and several routers removed together count once. */
const SOON_MS = 1000;

/** Time between two collections: only the second one frees the pages that the first has emptied. */
const SECOND_COLLECTION_MS = 1000;

/** The runtime's own function, which is hidden. With options it would collect only young objects, on some versions. */
let collect: (() => void) | undefined;
let timer: NodeJS.Timeout | undefined;

/** Collects all garbage on the event loop, which takes about a millisecond for each megabyte in use. */
export function collectHeap(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collect();
}

/** Collects after a second and once more later, unless that is already scheduled. */
export function collectHeapSoon(): void {
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    collectHeap();
    setTimeout(collectHeap, SECOND_COLLECTION_MS).unref();
  }, SOON_MS).unref();
}
