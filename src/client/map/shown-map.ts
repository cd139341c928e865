/** The map of the page. */

import { signal } from '@preact/signals';
import type { MapView } from './map-view.js';

/** Undefined until it is on the page. */
export const mapView = signal<MapView | undefined>(undefined);
