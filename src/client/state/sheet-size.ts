/** How much of a narrow screen the panel covers. */

import { signal } from '@preact/signals';

/** Share of the screen's height. */
export const SIZES = { low: 0.24, half: 0.56, full: 0.92 } as const;
type SheetSize = keyof typeof SIZES;
export const ORDER: readonly SheetSize[] = ['low', 'half', 'full'];

/** The size of the sheet; not used on wide screens. */
export const sheetSize = signal<SheetSize>('half');

/** Screens on which the panel is a sheet; the style sheets have the same width. */
const narrow = matchMedia('(max-width: 760px)');

/** Whether the screen is that narrow now; turning a phone or resizing a window may change that. */
export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});

/** Height of the part of the map that the sheet covers, in pixels. */
export function sheetHeight(): number {
  return isNarrow.value ? window.innerHeight * SIZES[sheetSize.value] : 0;
}
