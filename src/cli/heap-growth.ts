import { setFlagsFromString } from 'node:v8';

/** How much the JavaScript heap may grow between two full collections, percent of its size. */
const GROWTH = 50;

/**
 * Makes the runtime collect the JavaScript heap before it has doubled in size, because most of its growth is answers
 * that were sent long ago. Has to be called before the first collection, which decides when the second one comes.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
