/** The place in the list of legs that the pointer is on, which the map marks. */

import { signal } from '@preact/signals';
import type { Position } from '../state/place.js';

/** Undefined when the pointer is on none. */
export const pointed = signal<Position | undefined>(undefined);

/** Marks a place on the map, or none. */
export function point(at: Position | undefined): void {
  pointed.value = at;
}
