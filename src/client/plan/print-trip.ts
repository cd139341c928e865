/** Prints the chosen trip. */

import { mapView } from '../map/shown-map.js';

/** Unfolds the steps and stops of the trip, puts a picture of the map above it, and prints. */
export async function printTrip(): Promise<void> {
  const card = document.querySelector('.card.shown');
  const map = mapView.value?.map;
  if (!card || !map) return window.print();
  const folded = [...card.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
  const picture = document.createElement('img');
  picture.className = 'print-map';
  picture.alt = '';
  // What WebGL has drawn can be read only in the same task.
  map.redraw();
  picture.src = map.getCanvas().toDataURL();
  await picture.decode().catch(() => undefined);
  for (const details of folded) details.open = true;
  card.prepend(picture);
  window.addEventListener(
    'afterprint',
    () => {
      for (const details of folded) details.open = false;
      picture.remove();
    },
    { once: true },
  );
  window.print();
}
