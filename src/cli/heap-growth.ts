import { setFlagsFromString } from 'node:v8';

/** By how much of itself the JavaScript heap may grow between two full collections, percent. */
const GROWTH = 50;

/**
 * Has the JavaScript heap collected before it has doubled, as the runtime would let it: most of what it grows by are
 * answers that were sent long ago. To be called before the first collection, which says when the second comes.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
