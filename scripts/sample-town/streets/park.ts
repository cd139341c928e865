import type { Tags } from '../osm/elements.js';
import type { Quarter } from './quarter.js';

/** Metres from the south-west corner: the paths circle this place, where the summit is when the park has the hill. */
const MIDDLE_M = 400;
const CIRCLE_NODES = 16;

/** A park on a hill: circular path, radial paths, cycleway, stairs to the top, a pond. */
export function drawPark(quarter: Quarter): void {
  const outer = circle(quarter, 300);
  const inner = circle(quarter, 120);
  closed(quarter, outer, { highway: 'path', surface: 'fine_gravel', bicycle: 'yes', foot: 'designated' });
  closed(quarter, inner, { highway: 'footway', surface: 'compacted', name: 'Panoramaweg' });
  const top = quarter.node(MIDDLE_M, MIDDLE_M);
  for (const turn of [0, 4, 8, 12]) {
    const radial = [outer[turn] as number, bend(quarter, turn, 210), inner[turn] as number];
    quarter.way(radial, radialTags(turn));
    quarter.way(
      [inner[(turn + 2) % CIRCLE_NODES] as number, top],
      turn === 0 ? { highway: 'path', surface: 'ground' } : { highway: 'steps' },
    );
  }
  // East, north, west, south of the circle are its nodes 0, 4, 8, 12.
  quarter.way([outer[0] as number, quarter.gate('east', 4)], { highway: 'footway' });
  quarter.way([outer[4] as number, quarter.gate('north', 4)], { highway: 'footway' });
  quarter.way([outer[8] as number, quarter.gate('west', 4)], {
    highway: 'track',
    surface: 'unpaved',
    bicycle: 'designated',
  });
  quarter.way([outer[12] as number, quarter.gate('south', 4)], { highway: 'footway', bicycle: 'designated' });
  const cycleway = [
    quarter.gate('south', 6),
    quarter.node(690, 130),
    quarter.node(720, 400),
    quarter.node(690, 670),
    quarter.gate('north', 6),
  ];
  quarter.way(cycleway, { highway: 'cycleway', name: 'Parkradweg', surface: 'asphalt' });
  const pond = [quarter.point(120, 120), quarter.point(190, 110), quarter.point(200, 180), quarter.point(130, 190)];
  quarter.drawing.ring(pond, { natural: 'water', name: 'Teich' });
  const lawn = [quarter.point(560, 560), quarter.point(640, 560), quarter.point(640, 640), quarter.point(560, 640)];
  quarter.drawing.ring(lawn, { leisure: 'park', name: 'Liegewiese' });
}

function radialTags(turn: number): Tags {
  switch (turn) {
    case 0:
      return { highway: 'footway', incline: 'up' };
    case 4:
      return { highway: 'steps', handrail: 'yes' };
    case 8:
      return { highway: 'track', surface: 'grass' };
    default:
      return { highway: 'path', surface: 'woodchip', 'mtb:scale': '1' };
  }
}

function circle(quarter: Quarter, radius: number): number[] {
  return Array.from({ length: CIRCLE_NODES }, (_, i) => {
    const angle = (i / CIRCLE_NODES) * 2 * Math.PI;
    return quarter.nodeNear(MIDDLE_M + radius * Math.cos(angle), MIDDLE_M + radius * Math.sin(angle), 6);
  });
}

function bend(quarter: Quarter, turn: number, radius: number): number {
  const angle = (turn / CIRCLE_NODES) * 2 * Math.PI + 0.15;
  return quarter.node(MIDDLE_M + radius * Math.cos(angle), MIDDLE_M + radius * Math.sin(angle));
}

function closed(quarter: Quarter, refs: number[], tags: Tags): void {
  quarter.way([...refs, refs[0] as number], tags);
}
