/** The meaning of clicks on the map. */

import type { MapMouseEvent } from 'maplibre-gl';
import { featuresNear } from '../map/features.js';
import { change } from '../state/address.js';
import type { Thing } from '../state/codec.js';

const LAYERS = ['rentals', 'vehicles', 'stops', 'patterns'];

/** Shows what was clicked; a click on nothing changes nothing. */
export function showClicked(event: MapMouseEvent): void {
  const thing = thingAt(event);
  if (thing) change({ thing, pattern: '' });
}

/** The thing at a point of the map: small features come before lines. */
export function thingAt(event: MapMouseEvent): Thing | undefined {
  const found = featuresNear(event, LAYERS);
  const first = (layer: string) => found.find((feature) => feature.layer.id === layer)?.properties.id;
  const vehicle = first('vehicles');
  if (vehicle !== undefined) return { kind: 'vehicle', id: String(vehicle) };
  const rental = first('rentals');
  if (rental !== undefined) return { kind: 'rental', id: String(rental) };
  const stop = first('stops');
  if (stop !== undefined) return { kind: 'stop', id: String(stop) };
  const lines = found.filter(({ layer }) => layer.id === 'patterns').map(({ properties }) => String(properties.route));
  const ids = [...new Set(lines)];
  if (ids.length === 0) return undefined;
  return ids.length === 1 ? { kind: 'line', id: ids[0] ?? '' } : { kind: 'lines', id: ids.join(',') };
}
