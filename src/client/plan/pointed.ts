/** The place that the pointer is on in the list of legs; the map marks it. */

import { signal } from '@preact/signals';
import type { Position } from '../state/place.js';

/** Undefined when it is on none. */
export const pointed = signal<Position | undefined>(undefined);

/** Marks a place on the map, or none. */
export function point(at: Position | undefined): void {
  pointed.value = at;
}
