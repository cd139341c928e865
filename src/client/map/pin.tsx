/** Marks that can be dragged on the map. */

import { Marker } from 'maplibre-gl';
import { useEffect, useRef } from 'preact/hooks';
import type { Position } from '../state/place.js';
import { mapView } from './shown-map.js';

interface PinProps {
  at: Position;
  /** Class of its look. */
  look: string;
  label: string;
  /** Called with the pixel that it was dropped at. */
  onDrop: (x: number, y: number) => void;
}

/** A mark at a place. */
export function Pin({ at, look, label, onDrop }: PinProps) {
  const view = mapView.value;
  const marker = useRef<Marker | undefined>(undefined);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  useEffect(() => {
    if (!view) return;
    const element = document.createElement('div');
    element.className = `pin ${look}`;
    element.setAttribute('role', 'img');
    const made = new Marker({ element, draggable: true, anchor: 'bottom' }).setLngLat([at.lon, at.lat]).addTo(view.map);
    made.on('dragend', () => {
      const { x, y } = view.map.project(made.getLngLat());
      drop.current(x, y);
    });
    marker.current = made;
    return () => {
      made.remove();
    };
  }, [view, look]);
  useEffect(() => {
    marker.current?.setLngLat([at.lon, at.lat]);
    marker.current?.getElement().setAttribute('aria-label', label);
    marker.current?.getElement().setAttribute('title', label);
  });
  return null;
}
