/** How much of a narrow screen the panel covers. */

import { type ReadonlySignal, signal } from '@preact/signals';

/** Share of the screen's height. */
export const SIZES = { low: 0.24, half: 0.56, full: 0.92 } as const;
type SheetSize = keyof typeof SIZES;
export const ORDER: readonly SheetSize[] = ['low', 'half', 'full'];

/** The size of the sheet; not used on wide screens. */
export const sheetSize = signal<SheetSize>('half');

/** Whether the panel is a sheet; the style sheets have the same width. */
export const isNarrow = matching('(max-width: 47.5em)');

/** Whether the form of a trip would cover the trips: on phones, upright or on their side. */
export const isSmall = matching('(max-width: 47.5em), (max-height: 30em)');

/** Whether the screen is such now; turning a phone or resizing a window may change that. */
function matching(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const now = signal(list.matches);
  list.addEventListener('change', ({ matches }) => {
    now.value = matches;
  });
  return now;
}

/** Height of the part of the map that the sheet covers, in pixels. */
export function sheetHeight(): number {
  return isNarrow.value ? window.innerHeight * SIZES[sheetSize.value] : 0;
}
