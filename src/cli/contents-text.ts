import { counted } from '../counted.js';

export function contentsText(info: Record<'vertices' | 'edges' | 'stops' | 'routes' | 'trips', number>): string {
  const { vertices, edges, stops, routes, trips } = info;
  return [
    counted(vertices, 'vertex', 'vertices'),
    counted(edges, 'edge'),
    counted(stops, 'stop'),
    counted(routes, 'route'),
    counted(trips, 'trip'),
  ].join(', ');
}
