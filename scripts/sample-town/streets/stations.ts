import { railHalts, railPoint } from '../places.js';
import type { Drawing } from './drawing.js';

/** Platforms of the railway stations, the track between them, and the footways from the street. */
export function drawStations(drawing: Drawing): void {
  const { lattice } = drawing;
  const { plan } = lattice;
  const halts = railHalts(plan);
  const track = halts.map((halt) => {
    const place = railPoint(plan, halt);
    return { x: place.x, y: place.y + 6 };
  });
  drawing.way(drawing.nodes(track), { railway: 'rail', usage: 'main', electrified: 'contact_line' });
  for (const halt of halts) {
    const { x, y } = railPoint(plan, halt);
    // The first gate east of the corner lies just south of the platforms' eastern end.
    const street = lattice.gate('h', halt.column, halt.row, 1);
    const [near, nearWest] = drawing.nodes([
      { x: x + 35, y: y - 3 },
      { x: x - 45, y: y - 3 },
    ]) as [number, number];
    const [far, farWest] = drawing.nodes([
      { x: x + 35, y: y + 15 },
      { x: x - 45, y: y + 15 },
    ]) as [number, number];
    drawing.way([street, near], { highway: 'footway', surface: 'paving_stones' });
    drawing.way([near, far], { highway: 'footway', tunnel: 'yes', layer: '-1' });
    drawing.way([near, nearWest], { railway: 'platform', public_transport: 'platform', ref: '1' });
    drawing.way([far, farWest], { railway: 'platform', public_transport: 'platform', ref: '2', wheelchair: 'yes' });
  }
}
