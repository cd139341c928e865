/** Answers that maps read. */

import { anything, constant, integer, list, mapOf, named, numbers, object, type Static, text } from './schema.js';

export const InspectorLayers = named(
  'InspectorLayers',
  { layers: list(named('InspectorLayer', { key: text('In the path of its tiles'), name: text() }, 'A picture')) },
  'Pictures of the graph',
);
export type InspectorLayers = Static<typeof InspectorLayers>;

export const TileJson = named(
  'TileJson',
  {
    tilejson: constant('3.0.0'),
    name: text(),
    scheme: constant('xyz'),
    tiles: list(text(), 'Address of the tiles with `{z}`, `{x}` and `{y}`'),
    vector_layers: list(
      named(
        'VectorLayer',
        {
          id: text(),
          description: text(),
          minzoom: integer(),
          maxzoom: integer(),
          fields: mapOf(text(), 'Types of the attributes'),
        },
        'A layer of vector tiles',
      ),
    ),
    minzoom: integer(),
    maxzoom: integer(),
    bounds: numbers<[west: number, south: number, east: number, north: number]>(4),
    center: numbers<[lon: number, lat: number, zoom: number]>(3),
    attribution: text('HTML; empty for a graph without data of OpenStreetMap'),
  },
  'Vector tiles (TileJSON 3.0)',
);
export type TileJson = Static<typeof TileJson>;

export const MapStyle = named(
  'MapStyle',
  {
    version: integer('8'),
    name: text(),
    sources: mapOf(object({ type: constant('vector'), url: text() })),
    layers: list(mapOf(anything())),
  },
  'A style in the form of MapLibre',
);
export type MapStyle = Static<typeof MapStyle>;
