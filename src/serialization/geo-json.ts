/** GeoJSON of polygons from the engine. */

import type { Contour, Walkshed, WalkshedForm } from '../native/types.js';

/**
 * A feature collection with one multi-polygon per contour, in their order; it contains the engine's bytes unchanged.
 */
export function contourCollection(contours: readonly Contour[], property: 'time' | 'Time' = 'time'): Buffer {
  const time = Date.now().toString(16);
  const pieces: Buffer[] = [];
  let text = '{"type":"FeatureCollection","features":[';
  contours.forEach(({ json, seconds }, index) => {
    if (index > 0) text += ',';
    pieces.push(Buffer.from(`${text}{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":`), json);
    // The numbers count down, so that sorting by id keeps the order of the features.
    const id = `fid-${time}_${time}_-${(0x8000 - index).toString(16)}`;
    text = `},"properties":{"${property}":${seconds}},"id":"${id}"}`;
  });
  return Buffer.concat([...pieces, Buffer.from(`${text}]}`)]);
}

/**
 * A geometry without a feature: points, a polygon of one ring, or lines, with coordinates of four decimals. Its
 * coordinates are made while they are written, because they may be those of all streets of a region.
 */
export function walkshedGeometry(form: WalkshedForm, found: Walkshed): object {
  if (form === 'POINTS') return { type: 'MultiPoint', coordinates: positions(found.coordinates) };
  return { type: form === 'SHED' ? 'Polygon' : 'MultiLineString', coordinates: lines(found) };
}

/** The lines that have any position. */
function* lines({ parts, coordinates }: Walkshed): Generator<[lon: number, lat: number][]> {
  let start = 0;
  for (const count of parts) {
    const end = start + 2 * count;
    if (count > 0) yield [...positions(coordinates.subarray(start, end))];
    start = end;
  }
}

function* positions(coordinates: Float64Array): Generator<[lon: number, lat: number]> {
  for (let at = 0; at < coordinates.length; at += 2) {
    yield [fourDecimals(coordinates[at]), fourDecimals(coordinates[at + 1])];
  }
}

function fourDecimals(degrees = 0): number {
  return Math.round(degrees * 1e4) / 1e4;
}
