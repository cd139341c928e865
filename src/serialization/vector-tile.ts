/** Vector tiles: their description (TileJSON 3.0), and the points in them that the graph does not know. */

import type { GraphInfo, VectorTileLayer, VectorTilePoint, Vehicle } from '../native/types.js';
import type { RentalStation } from '../updaters/rental-station.js';
import type { TileJson } from './answers/index.js';

/** The attribution that OpenStreetMap's licence requires on maps with its data. */
const ATTRIBUTION = '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';
/** Zoom at which a city fills a window. */
const CITY_ZOOM = 12;

/** Describes the tiles of some layers; `tiles` is their address with `{z}`, `{x}` and `{y}`. */
export function presentTileJson(
  name: string,
  layers: readonly VectorTileLayer[],
  info: GraphInfo,
  tiles: string,
): TileJson {
  return {
    tilejson: '3.0.0',
    name,
    scheme: 'xyz',
    tiles: [tiles],
    vector_layers: layers.map(({ key, description, minZoom, maxZoom, fields }) => ({
      id: key,
      description,
      minzoom: minZoom,
      maxzoom: maxZoom,
      fields,
    })),
    minzoom: Math.min(...layers.map(({ minZoom }) => minZoom)),
    maxzoom: Math.max(...layers.map(({ maxZoom }) => maxZoom)),
    bounds: boundsOf(info),
    center: [info.centerLongitude, info.centerLatitude, CITY_ZOOM],
    attribution: info.hasOpenStreetMap ? ATTRIBUTION : '',
  };
}

/** West, south, east and north of the graph with its base map, without which maps would cut off a lake beyond the streets. */
function boundsOf(info: GraphInfo): [west: number, south: number, east: number, north: number] {
  const areas = info.mapArea ? [info, info.mapArea] : [info];
  const south = Math.min(...areas.map((area) => area.lowerLeftLatitude));
  const north = Math.max(...areas.map((area) => area.upperRightLatitude));
  // Clients ask for no tiles of an area whose west is greater than its east.
  if (info.lowerLeftLongitude > info.upperRightLongitude) return [-180, south, 180, north];
  const west = Math.min(...areas.map((area) => area.lowerLeftLongitude));
  return [west, south, Math.max(...areas.map((area) => area.upperRightLongitude)), north];
}

/** A rental station as a point of the layer `rentals`; `spacesAvailable` is undefined when they are not known. */
export function rentalPoint(station: RentalStation, spacesAvailable: number | undefined): VectorTilePoint {
  const { id, name, lat, lon, bikesAvailable, networks, isFloatingBike, isCarStation } = station;
  const attributes = { id, name, bikesAvailable, networks: networks?.join(',') ?? '', isFloatingBike, isCarStation };
  return { layer: 'rentals', lat, lon, attributes: { ...attributes, ...known({ spacesAvailable }) } };
}

/** A vehicle as a point of the layer `vehicles`. */
export function vehiclePoint({ id, label, lat, lon, tripId, routeId, bearing, timestamp }: Vehicle): VectorTilePoint {
  const attributes = { id, label: label ?? '', trip: tripId ?? '', route: routeId ?? '' };
  return { layer: 'vehicles', lat, lon, attributes: { ...attributes, ...known({ bearing, timestamp }) } };
}

function known(numbers: Readonly<Record<string, number | undefined>>): Record<string, number> {
  const given = Object.entries(numbers).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value]] : []));
  return Object.fromEntries(given);
}
