/** The panel: a column beside the map, or on narrow screens a sheet over its lower part in one of three sizes. */

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ORDER, SIZES, sheetSize } from '../state/sheet-size.js';
import { t } from '../text/texts.js';

/** The panel with its content. */
export function Sheet({ children }: { children: ComponentChildren }) {
  // The map's texts stay above the sheet.
  document.documentElement.style.setProperty('--sheet-share', String(SIZES[sheetSize.value]));
  return (
    <main class="sheet">
      <Grip />
      {children}
    </main>
  );
}

/** Shorter movements of the pointer are clicks, pixels. */
const LEAST_DRAG = 12;

/** The handle: it can be dragged, clicked for the next size, or moved with the arrow keys. */
function Grip() {
  const start = useRef<number | undefined>(undefined);
  const wasDragged = useRef(false);
  const move = (by: number) => {
    const at = ORDER.indexOf(sheetSize.value);
    sheetSize.value = ORDER[Math.max(0, Math.min(ORDER.length - 1, at + by))] ?? 'half';
  };
  const drop = ({ clientY }: PointerEvent) => {
    if (start.current === undefined) return;
    const up = start.current - clientY;
    start.current = undefined;
    wasDragged.current = Math.abs(up) > LEAST_DRAG;
    if (wasDragged.current) move(Math.sign(up) * (Math.abs(up) > window.innerHeight * 0.4 ? 2 : 1));
  };
  // Screen readers and keys click without a pointer.
  const click = ({ detail }: MouseEvent) => {
    if (detail > 0 && wasDragged.current) return;
    if (sheetSize.value === 'full') sheetSize.value = 'low';
    else move(1);
  };
  return (
    <button
      type="button"
      class="grip"
      aria-label={t('common.panelSize')}
      onClick={click}
      onPointerDown={(event) => {
        wasDragged.current = false;
        start.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={drop}
      onKeyDown={({ key }) => {
        if (key === 'ArrowUp') move(1);
        if (key === 'ArrowDown') move(-1);
      }}
    />
  );
}
