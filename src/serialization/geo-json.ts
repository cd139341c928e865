/** GeoJSON of polygons that come from the kernels. */

import type { Contour, Walkshed } from '../native/types.js';

/** A feature collection with one multi-polygon per contour, in their order. */
export function contourCollection(contours: readonly Contour[], property: 'time' | 'Time' = 'time'): string {
  const stamp = Date.now().toString(16);
  const features = contours.map((contour, index) => {
    // Ids count towards zero, so that their order is that of the features.
    const id = `fid-${stamp}_${stamp}_-${(0x8000 - index).toString(16)}`;
    const geometry = `{"type":"MultiPolygon","coordinates":${contour.json}}`;
    return `{"type":"Feature","geometry":${geometry},"properties":{"${property}":${contour.seconds}},"id":"${id}"}`;
  });
  return `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
}

/** A bare geometry: points, a polygon of one ring, or lines, with coordinates of four decimals. */
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
