/** The place that a user points at on the map. */

import type { Geometry } from 'geojson';
import type { MapGeoJSONFeature, Map as MapLibreMap } from 'maplibre-gl';
import type { Place } from '../state/place.js';
import { featuresNear } from './features.js';

/** How near a street has to be to give its name to a point, in pixels, and in metres, which are few pixels of a wide view. */
const NEAR_STREET = 24;
const NEAR_STREET_M = 150;

/** Classes of lines after which nobody on foot would name a place. */
const NOT_WALKED = new Set(['motorway', 'motorway_link', 'ferry', 'runway']);

type Pixel = Readonly<Record<'x' | 'y', number>>;

/** The place at a pixel: a stop that is there, or else the point, with the name of the nearest street beside it. */
export function placeAt(map: MapLibreMap, x: number, y: number): Place {
  const [stop] = named(map, { x, y }, 'stops');
  if (stop?.geometry.type === 'Point') {
    const [lon = 0, lat = 0] = stop.geometry.coordinates;
    return { lat, lon, name: String(stop.properties.name) };
  }
  const at = map.unproject([x, y]);
  const metresPerPixel = at.distanceTo(map.unproject([x + 1, y]));
  const reach = Math.min(NEAR_STREET, NEAR_STREET_M / metresPerPixel);
  const project = ([lon = 0, lat = 0]: number[]) => map.project([lon, lat]);
  const name = nearestStreet(named(map, { x, y }, 'streets', reach), { x, y }, project);
  return { lat: at.lat, lon: at.lng, ...(name !== undefined && { name }) };
}

function named(map: MapLibreMap, point: Pixel, layer: string, reach?: number): MapGeoJSONFeature[] {
  return featuresNear({ target: map, point }, [layer], reach).filter(({ properties }) => properties.name !== undefined);
}

/** A street of the map: what is needed of a feature. */
interface Street {
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The name of the street that is nearest to a pixel, of those that people walk along. */
export function nearestStreet(
  streets: readonly Street[],
  at: Pixel,
  project: (position: number[]) => Pixel,
): string | undefined {
  const away = ({ geometry }: Street) =>
    Math.min(...linesOf(geometry).map((line) => distanceTo(line.map(project), at)));
  const walked = streets.filter(({ properties }) => !NOT_WALKED.has(String(properties.class)));
  const [nearest] = walked
    .map((street) => ({ name: String(street.properties.name), away: away(street) }))
    .toSorted((one, other) => one.away - other.away);
  return nearest?.name;
}

function linesOf(geometry: Geometry): number[][][] {
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiLineString' ? geometry.coordinates : [];
}

/** Distance of a point from a line in pixels. */
function distanceTo(line: readonly Pixel[], { x, y }: Pixel): number {
  const distances = line.slice(1).map((end, i) => {
    const start = line[i] ?? end;
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const share = ((x - start.x) * dx + (y - start.y) * dy) / (dx * dx + dy * dy || 1);
    const part = Math.max(0, Math.min(1, share));
    return Math.hypot(start.x + part * dx - x, start.y + part * dy - y);
  });
  return Math.min(...distances);
}
