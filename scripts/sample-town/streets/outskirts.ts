import type { Tags } from '../osm/elements.js';
import { drawStreet, localName } from './local-street.js';
import type { Quarter } from './quarter.js';

/** High-rise estate: service roads, parking, a web of footways, stairs, a playground. */
export function drawEstate(quarter: Quarter): void {
  const { random } = quarter;
  quarter.turn();
  const spine = drawStreet(
    quarter,
    { from: quarter.gate('west', 2), to: quarter.gate('east', 6) },
    [
      [3, 4],
      [6, 5],
      [8, 8],
      [10, 11],
      [13, 12],
    ],
    { highway: 'unclassified', name: localName(quarter, 0), maxspeed: '30' },
  );
  const service = drawStreet(
    quarter,
    { from: spine[1] as number, to: spine[3] as number },
    [
      [8, 4],
      [12, 5],
      [12, 9],
    ],
    {
      highway: 'service',
      access: 'destination',
    },
  );
  const lot = [0, 1, 2].map((i) => quarter.nodeNear(640 + 25 * i, 300, 3));
  quarter.way([service[1] as number, ...lot], { highway: 'service', service: 'parking_aisle' });
  const web: number[][] = [];
  for (let b = 0; b < 4; b++) {
    web.push([0, 1, 2, 3].map((a) => quarter.nodeNear(120 + 80 * a, 440 + 80 * b, 10)));
    quarter.way(web[b] as number[], {
      highway: 'footway',
      lit: 'yes',
      ...(random.chance(0.3) ? { bicycle: 'yes' } : {}),
    });
  }
  for (let a = 0; a < 4; a++) {
    const line = web.map((row) => row[a] as number);
    quarter.way(
      line,
      a === 1 ? { highway: 'steps', ramp: 'yes' } : { highway: 'footway', surface: random.pick(['asphalt', 'gravel']) },
    );
  }
  quarter.way([spine[2] as number, (web[0] as number[])[3] as number], { highway: 'footway' });
  quarter.way([quarter.gate('north', 2), (web[3] as number[])[0] as number], { highway: 'footway' });
  quarter.way([quarter.gate('west', 6), (web[1] as number[])[0] as number], { highway: 'path' });
  quarter.node(300, 560, { amenity: 'bicycle_parking', capacity: '12' });
  quarter.node(320, 540, { leisure: 'playground' });
}

/** Works and depots: wide service roads, gates, freight yards behind private access. */
export function drawIndustry(quarter: Quarter): void {
  const { random } = quarter;
  quarter.turn();
  const main = drawStreet(
    quarter,
    { from: quarter.gate('south', 4), to: quarter.gate('north', 4) },
    [
      [8, 3],
      [8, 6],
      [8.5, 9],
      [8, 12],
    ],
    { highway: 'tertiary', name: localName(quarter, 0), lanes: '2', hgv: 'designated' },
  );
  const cross = drawStreet(
    quarter,
    { from: quarter.gate('west', 4), to: main[1] as number },
    [
      [3, 8],
      [5, 7],
    ],
    {
      highway: 'unclassified',
      name: localName(quarter, 1),
      surface: random.pick(['asphalt', 'concrete']),
    },
  );
  const access = ['private', 'delivery', 'customers', 'no'];
  main.forEach((from, i) => {
    const yard = [0, 1, 2].map((k) => quarter.nodeNear(500 + 80 * k, 150 + 150 * i + 20 * k, 8));
    const tags: Tags = { highway: 'service', access: access[i % access.length] as string };
    if (tags.access === 'no') tags.foot = 'yes';
    quarter.way([from, ...yard], tags);
  });
  quarter.way([cross[0] as number, quarter.node(140, 520, { barrier: 'gate' }), quarter.node(120, 640)], {
    highway: 'track',
    tracktype: 'grade2',
    surface: 'gravel',
    motor_vehicle: 'agricultural',
  });
  quarter.way(quarter.drawing.nodes([quarter.point(20, 30), quarter.point(400, 60), quarter.point(780, 40)]), {
    railway: 'rail',
    usage: 'industrial',
  });
}

/** Fields at the edge of the town: lanes, tracks, a farm, a bridle path. */
export function drawCountryside(quarter: Quarter): void {
  const { random } = quarter;
  quarter.turn();
  const lane = drawStreet(
    quarter,
    { from: quarter.gate('south', 5), to: quarter.gate('west', 5) },
    [
      [10, 4],
      [8, 8],
      [4, 10],
    ],
    { highway: 'unclassified', name: localName(quarter, 0), surface: random.pick(['asphalt', 'unpaved']) },
  );
  const track = [0, 1, 2].map((i) => quarter.nodeNear(420 + 80 * i, 520 + 40 * i, 20));
  quarter.way([lane[1] as number, ...track, quarter.gate('north', 6)], {
    highway: 'track',
    surface: random.pick(['unpaved', 'gravel', 'grass', 'dirt', 'mud']),
    ...(random.chance(0.3) ? { bicycle: 'yes' } : {}),
  });
  quarter.way([track[2] as number, quarter.node(720, 560), quarter.gate('east', 5)], { highway: 'bridleway' });
  const farm = quarter.node(300, 300);
  quarter.way([lane[2] as number, farm], { highway: 'service', access: 'agricultural' });
}
