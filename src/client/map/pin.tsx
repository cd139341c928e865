/** Marks that can be dragged on the map. */

import { Marker } from 'maplibre-gl';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Position } from '../state/place.js';
import type { MapView } from './map-view.js';
import { HOLE, PIN, RIM, RIM_WIDTH } from './pin-shape.js';
import { mapView } from './shown-map.js';

interface PinProps {
  at: Position;
  /** Class of its style. */
  look: string;
  label: string;
  /** Called with the pixel that it was dropped at. */
  onDrop: (x: number, y: number) => void;
  /** Called with each pixel while it is dragged. */
  onDrag?: (x: number, y: number) => void;
  /** The map that it is on; the map of the page by default. */
  on?: MapView;
}

/** The rim is under the pin, so half of the line is seen. */
const SHAPE = `<svg viewBox="-13 -36 26 36" aria-hidden="true">
  <path d="${PIN}" stroke="${RIM}" stroke-width="${2 * RIM_WIDTH}" paint-order="stroke"/>
  <path d="${HOLE}" fill="${RIM}"/>
</svg>`;

/** A mark at a place. */
export function Pin({ at, look, label, onDrop, onDrag, on }: PinProps) {
  const view = on ?? mapView.value;
  const marker = useRef<Marker | undefined>(undefined);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  const drag = useRef(onDrag);
  drag.current = onDrag;
  useLayoutEffect(() => {
    if (!view) return;
    const element = document.createElement('div');
    element.className = `pin ${look}`;
    element.setAttribute('role', 'img');
    element.innerHTML = SHAPE;
    const made = new Marker({ element, draggable: true, anchor: 'bottom' }).setLngLat([at.lon, at.lat]).addTo(view.map);
    const pixel = () => view.map.project(made.getLngLat());
    made.on('drag', () => drag.current?.(pixel().x, pixel().y));
    made.on('dragend', () => drop.current(pixel().x, pixel().y));
    marker.current = made;
    return () => {
      made.remove();
    };
  }, [view, look]);
  useLayoutEffect(() => {
    marker.current?.setLngLat([at.lon, at.lat]);
    marker.current?.getElement().setAttribute('aria-label', label);
    marker.current?.getElement().setAttribute('title', label);
  });
  return null;
}
