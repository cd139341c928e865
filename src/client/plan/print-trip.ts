/** Prints the chosen trip, with all that is folded on the screen. */

import { signal } from '@preact/signals';
import { mapView } from '../map/shown-map.js';

/** Whether the page is being printed, by its button or by the browser's menu. */
export const printing = signal(false);

window.addEventListener('beforeprint', () => {
  printing.value = true;
});
window.addEventListener('afterprint', () => {
  printing.value = false;
});

/** Prints the trip below a picture of the map. */
export async function printTrip(): Promise<void> {
  // Before the browser asks for the page, which is too late for what is drawn after the running script.
  printing.value = true;
  const card = document.querySelector('.card.shown');
  const map = mapView.value?.map;
  if (!card || !map) return window.print();
  const picture = document.createElement('img');
  picture.className = 'print-map';
  picture.alt = '';
  // What WebGL has drawn can be read only in the same task.
  map.redraw();
  picture.src = map.getCanvas().toDataURL();
  await picture.decode().catch(() => undefined);
  card.prepend(picture);
  window.addEventListener('afterprint', () => picture.remove(), { once: true });
  window.print();
}

/** Unfolds the steps and stops below an element; returns what folds them again. */
export function unfold(root: Element | null): () => void {
  const folded = [...(root?.querySelectorAll<HTMLDetailsElement>('details:not([open])') ?? [])];
  for (const details of folded) details.open = true;
  return () => {
    for (const details of folded) details.open = false;
  };
}
