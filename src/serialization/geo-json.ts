/** GeoJSON of polygons from the engine. */

import type { Contour, Walkshed } from '../native/types.js';

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

/** A geometry without a feature: points, a polygon of one ring, or lines, with coordinates of four decimals. */
export function walkshedGeometry(form: 'POINTS' | 'SHED' | 'EDGES', { parts, coordinates }: Walkshed): string {
  let at = 0;
  const lines = [...parts].map((count) => {
    const positions: string[] = [];
    for (const end = at + 2 * count; at < end; at += 2) {
      positions.push(`[${fourDecimals(coordinates[at])},${fourDecimals(coordinates[at + 1])}]`);
    }
    return positions.join(',');
  });
  if (form === 'POINTS') return `{"type":"MultiPoint","coordinates":[${lines.join(',')}]}`;
  const drawn = lines.filter((line) => line !== '').map((line) => `[${line}]`);
  const type = form === 'SHED' ? 'Polygon' : 'MultiLineString';
  return `{"type":"${type}","coordinates":[${drawn.join(',')}]}`;
}

function fourDecimals(degrees = 0): number {
  return Math.round(degrees * 1e4) / 1e4;
}
