import { setFlagsFromString } from 'node:v8';

/** How much the JavaScript heap may grow between two full collections, percent of its size. */
const GROWTH = 50;

/**
 * Lets the JavaScript heap be collected earlier than the runtime would, which waits until it has doubled: most of the
 * growth is answers that were sent long ago. Has to be called before the first collection, which decides when the
 * second one comes.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
