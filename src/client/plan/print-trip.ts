/** Prints the chosen trip, with all that is folded on the screen. */

import { signal } from '@preact/signals';
import type { Map as MapLibre } from 'maplibre-gl';
import { HOLE, PIN, RIM, RIM_WIDTH } from '../map/pin-shape.js';
import { mapView } from '../map/shown-map.js';
import { isForPaper, theme } from '../state/preferences.js';

/** Whether the page is being printed, by its button or by the browser's menu. */
export const printing = signal(false);

window.addEventListener('beforeprint', () => {
  printing.value = true;
});
window.addEventListener('afterprint', () => {
  printing.value = false;
});

/** How long the map may take to be drawn in the light theme, milliseconds. */
const LONGEST_DRAWING_MS = 5000;

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
  picture.src = await picturedOnWhite(map);
  await picture.decode().catch(() => undefined);
  card.prepend(picture);
  window.addEventListener('afterprint', () => picture.remove(), { once: true });
  window.print();
}

/** A picture of the map in the light theme. A map that takes long to be drawn in it stays as it is. */
async function picturedOnWhite(map: MapLibre): Promise<string> {
  if (theme.peek() === 'light') return pictureOf(map);
  const drawn = new Promise<void>((resolve) => {
    map.once('styledata', () => map.once('idle', () => resolve()));
    setTimeout(resolve, LONGEST_DRAWING_MS);
  });
  isForPaper.value = true;
  await drawn;
  try {
    return pictureOf(map);
  } finally {
    isForPaper.value = false;
  }
}

/** What the map shows with its pins, which are elements above it. */
function pictureOf(map: MapLibre): string {
  // What WebGL has drawn can be read only in the same task.
  map.redraw();
  const shown = map.getCanvas();
  const canvas = document.createElement('canvas');
  canvas.width = shown.width;
  canvas.height = shown.height;
  const context = canvas.getContext('2d');
  if (!context) return shown.toDataURL();
  context.drawImage(shown, 0, 0);
  const box = shown.getBoundingClientRect();
  context.scale(shown.width / box.width, shown.height / box.height);
  for (const pin of map.getContainer().querySelectorAll('.pin')) {
    const { left, width, bottom } = pin.getBoundingClientRect();
    const color = getComputedStyle(pin).getPropertyValue('--pin');
    drawPin(context, { x: left + width / 2 - box.left, y: bottom - box.top, color });
  }
  return canvas.toDataURL();
}

/** A pin with its tip at (x, y). */
function drawPin(context: CanvasRenderingContext2D, { x, y, color }: { x: number; y: number; color: string }): void {
  const pin = new Path2D(PIN);
  context.save();
  context.translate(x, y);
  context.strokeStyle = RIM;
  context.lineWidth = 2 * RIM_WIDTH;
  context.stroke(pin);
  context.fillStyle = color;
  context.fill(pin);
  context.fillStyle = RIM;
  context.fill(new Path2D(HOLE));
  context.restore();
}

/** Unfolds the steps and stops below an element; returns what folds them again. */
export function unfold(root: Element | null): () => void {
  const folded = [...(root?.querySelectorAll<HTMLDetailsElement>('details:not([open])') ?? [])];
  for (const details of folded) details.open = true;
  return () => {
    for (const details of folded) details.open = false;
  };
}
