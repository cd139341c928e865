/** GeoJSON. Positions are longitude, latitude in degrees unless the request names another reference system. */

import {
  anyOf,
  constant,
  integer,
  list,
  mapOf,
  named,
  nothing,
  numbers,
  object,
  optional,
  type Static,
  type TSchema,
  text,
} from './schema.js';

type LonLat = [lon: number, lat: number];
const Position = numbers<LonLat>(2);

const geometry = <const K extends string, C extends TSchema>(kind: K, coordinates: C, description: string) =>
  named(kind, { type: constant(kind), coordinates }, description);

export const Point = geometry('Point', Position, 'A position');
export const LineString = geometry('LineString', list(Position), 'A line');
export const Polygon = geometry('Polygon', list(list(Position)), 'An area: its outer ring, then its holes');
export const MultiPoint = geometry('MultiPoint', list(Position), 'Positions');
export const MultiLineString = geometry('MultiLineString', list(list(Position)), 'Lines');
export const MultiPolygon = geometry('MultiPolygon', list(list(list(Position))), 'Areas');
export type Point = Static<typeof Point>;
export type LineString = Static<typeof LineString>;
export type Polygon = Static<typeof Polygon>;
export type MultiPoint = Static<typeof MultiPoint>;
export type MultiLineString = Static<typeof MultiLineString>;
export type MultiPolygon = Static<typeof MultiPolygon>;

const isochrone = <P extends TSchema>(title: string, properties: P, description: string) => {
  const id = text('New in every answer');
  return named(title, { type: constant('Feature'), geometry: MultiPolygon, properties, id }, description);
};

const collection = <F extends TSchema>(title: string, feature: F, description: string) =>
  named(title, { type: constant('FeatureCollection'), features: list(feature) }, description);

export const Isochrone = isochrone(
  'Isochrone',
  object({ time: integer('Seconds') }),
  'The area that is reached within a time',
);
export type Isochrone = Static<typeof Isochrone>;

export const Isochrones = collection('Isochrones', Isochrone, 'Areas by time, the longest first');
export type Isochrones = Static<typeof Isochrones>;

const SimpleIsochrone = isochrone(
  'SimpleIsochrone',
  object({ Time: integer('Seconds') }),
  'The area around stops that is reached within a time',
);

export const SimpleIsochrones = collection('SimpleIsochrones', SimpleIsochrone, 'Areas around stops by time');
export type SimpleIsochrones = Static<typeof SimpleIsochrones>;

export const Walkshed = anyOf([MultiPoint, Polygon, MultiLineString], 'By `output`: `POINTS`, `SHED` or `EDGES`');
export type Walkshed = Static<typeof Walkshed>;

const PointSetFeature = named(
  'PointSetFeature',
  {
    id: optional(anyOf([text(), nothing()])),
    type: constant('Feature'),
    geometry: anyOf([Point, Polygon]),
    properties: object({ structured: mapOf(integer(), 'Magnitudes by property') }),
  },
  'A place of a point set',
);

export const PointSet = named(
  'PointSet',
  {
    type: constant('FeatureCollection'),
    properties: object({
      id: optional(text()),
      label: optional(text()),
      description: optional(text()),
      schema: mapOf(object({ label: optional(text()), style: mapOf(text()) }), 'By property'),
    }),
    features: list(PointSetFeature),
  },
  'Places with magnitudes',
);
export type PointSet = Static<typeof PointSet>;

export const PointSetSize = named(
  'PointSetSize',
  { id: text(), n: integer('Number of its places') },
  'A point set that is too large to be shown',
);
export type PointSetSize = Static<typeof PointSetSize>;

export const PointSetList = list(named('PointSetId', { id: text() }, 'A point set'));
export type PointSetList = Static<typeof PointSetList>;
