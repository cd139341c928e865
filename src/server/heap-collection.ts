/**
 * Giving the JavaScript heap back. What it holds are mostly answers that were sent long ago; the runtime keeps the room
 * for those to come, which after the end of a router may be few.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Before the collection: requests that still run end, and several routers that go together count once. */
const SOON_MS = 1000;

/** Time between two collections: only the second one frees the pages that the first has emptied. */
const AGAIN_MS = 1000;

/** The runtime's own function, which it hides. With options it would only collect what is young, on some versions. */
let collect: (() => void) | undefined;
let timer: NodeJS.Timeout | undefined;

/** Collects what can be, on the event loop: about a millisecond for each megabyte that is in use. */
export function collectHeap(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collect();
}

/** Collects after a second and again after another, unless that is already scheduled. */
export function collectHeapSoon(): void {
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    collectHeap();
    setTimeout(collectHeap, AGAIN_MS).unref();
  }, SOON_MS).unref();
}
