import type { Tags } from '../osm/elements.js';
import { drawStreet, localName, type Place } from './local-street.js';
import type { Quarter } from './quarter.js';

/** Nodes of the collector street, from south to north. */
type Collector = [number, number, number, number, number];

/** Winding collector, two loops, culs-de-sac with driveways, footpaths to the next quarter. */
export function drawSuburb(quarter: Quarter): void {
  quarter.turn();
  const collector = drawCollector(quarter);
  const [east, west] = drawLoops(quarter, collector);
  drawStreetsBetween(quarter, collector, east);
  drawCulsDeSac(quarter, collector, east, west);
  drawFootpaths(quarter, east, west);
  if (quarter.random.chance(0.2)) drawClosedRoads(quarter);
}

function drawCollector(quarter: Quarter): Collector {
  return drawStreet(
    quarter,
    { from: quarter.gate('south', 3), to: quarter.gate('north', 3) },
    [
      [6, 2],
      [5, 5],
      [7, 8],
      [6, 11],
      [6, 14],
    ],
    { highway: quarter.random.pick(['residential', 'unclassified']), name: localName(quarter, 0), maxspeed: '30' },
  ) as Collector;
}

/** The two streets that leave the collector and come back to it, in the east and the west. */
function drawLoops(quarter: Quarter, collector: Collector): [east: number[], west: number[]] {
  const { random } = quarter;
  const east = drawStreet(
    quarter,
    { from: collector[1], to: collector[3] },
    [
      [9, 4],
      [12, 4],
      [14, 7],
      [13, 11],
      [10, 12],
      [8, 11.5],
    ],
    { highway: 'residential', name: localName(quarter, 1), ...(random.chance(0.5) ? { maxspeed: '30' } : {}) },
  );
  const west = drawStreet(
    quarter,
    { from: collector[0], to: collector[2] },
    [
      [3, 3],
      [2, 6],
      [3, 9],
    ],
    {
      highway: random.pick(['residential', 'living_street']),
      name: localName(quarter, 2),
    },
  );
  return [east, west];
}

/** A one-way street from the collector to the eastern loop, and a bend beside the collector. */
function drawStreetsBetween(quarter: Quarter, collector: Collector, east: number[]): void {
  drawStreet(
    quarter,
    { from: collector[2], to: east[2] as number },
    [
      [9.5, 8.6],
      [11, 9],
    ],
    { highway: 'residential', name: localName(quarter, 9), oneway: 'yes' },
  );
  drawStreet(
    quarter,
    { from: collector[3], to: collector[4] },
    [
      [4, 11],
      [2.5, 13],
      [4.2, 14.8],
    ],
    { highway: 'residential', name: localName(quarter, 10) },
  );
}

/** Paths from the loops to the next quarters. */
function drawFootpaths(quarter: Quarter, east: number[], west: number[]): void {
  quarter.way([quarter.gate('west', 4), quarter.node(60, 420), west[2] as number], {
    highway: 'footway',
    surface: 'compacted',
  });
  quarter.way([quarter.gate('east', 4), quarter.node(760, 360), east[2] as number], footpathTags(quarter));
  quarter.way([east[4] as number, quarter.node(600, 700), quarter.gate('north', 6)], {
    highway: 'cycleway',
    foot: 'yes',
    segregated: 'no',
  });
}

/** Living streets off the nodes of the collector and the two loops. */
function drawCulsDeSac(quarter: Quarter, collector: Collector, east: number[], west: number[]): void {
  const roads: [number, Place, Place][] = [
    [east[0] as number, [9.5, 2.5], [11, 2]],
    [east[2] as number, [12, 7.2], [10, 6.6]],
    [east[3] as number, [14.5, 13], [13, 14]],
    [west[1] as number, [1, 8], [1.2, 11]],
    [collector[1], [7.5, 2.5], [8.5, 1.2]],
    [collector[4], [9, 14], [11, 14.5]],
  ];
  for (const [i, [from, ...places]] of roads.entries()) {
    const tags: Tags = {
      highway: quarter.random.pick(['living_street', 'residential']),
      name: localName(quarter, 3 + i),
    };
    if (quarter.random.chance(0.15)) tags.access = 'destination';
    drawStreet(quarter, { from }, places, tags);
  }
}

function footpathTags(quarter: Quarter): Tags {
  return quarter.random.pick<Tags>([
    { highway: 'path', surface: 'unpaved' },
    { highway: 'footway', footway: 'sidewalk' },
    { highway: 'path', bicycle: 'designated', foot: 'designated', surface: 'asphalt' },
    { highway: 'steps' },
  ]);
}

/** Streets that must not become part of a graph. */
function drawClosedRoads(quarter: Quarter): void {
  const places = quarter.drawing.nodes([quarter.point(700, 100), quarter.point(720, 180)]);
  quarter.way(places, { highway: 'construction', construction: 'residential', name: 'Neubaugasse' });
  quarter.way(quarter.drawing.nodes([quarter.point(740, 100), quarter.point(760, 180)]), { highway: 'proposed' });
}
