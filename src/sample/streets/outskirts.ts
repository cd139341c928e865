import { streetName } from "../names.js";
import type { Tags } from "../osm/sink.js";
import type { Quarter } from "./quarter.js";

/** East and north of the quarter's south-west corner, in units of 50 m. */
type Place = readonly [number, number];

const UNIT_M = 50;

/** A street through given places; the nodes of places come first in the result, plots hang on nodes between them. */
function drawStreet(quarter: Quarter, ends: { from?: number; to?: number }, places: readonly Place[], tags: Tags): number[] {
  const { random } = quarter;
  const refs: number[] = ends.from === undefined ? [] : [ends.from];
  const corners: number[] = [];
  const plots: number[] = [];
  places.forEach(([east, north], i) => {
    const before = places[i - 1];
    if (before) {
      for (const share of [0.25, 0.5, 0.75]) {
        if (!random.chance(0.75)) continue;
        const node = quarter.nodeNear(lerp(before[0], east, share) * UNIT_M, lerp(before[1], north, share) * UNIT_M, 4);
        refs.push(node);
        if (random.chance(0.6)) plots.push(node, lerp(before[0], east, share), lerp(before[1], north, share));
      }
    }
    const corner = quarter.nodeNear(east * UNIT_M, north * UNIT_M, 8);
    refs.push(corner);
    corners.push(corner);
  });
  if (ends.to !== undefined) refs.push(ends.to);
  quarter.way(refs, tags);
  drawPlots(quarter, plots);
  return corners;
}

function drawPlots(quarter: Quarter, plots: number[]): void {
  const { random } = quarter;
  for (let i = 0; i < plots.length; i += 3) {
    const [street, east, north] = plots.slice(i, i + 3) as [number, number, number];
    const garage = quarter.nodeNear(east * UNIT_M + random.pick([-16, 16]), north * UNIT_M + random.pick([-16, 16]), 3);
    quarter.way([street, garage], { highway: "service", service: "driveway", access: random.pick(["private", "private", "destination"]) });
  }
}

function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

function localName(quarter: Quarter, index: number): string {
  return streetName(quarter.plan.seed, "suburb", quarter.column, quarter.row, index);
}

/** Winding collector, two loops, culs-de-sac with driveways, footpaths to the next quarter. */
export function drawSuburb(quarter: Quarter): void {
  const { random } = quarter;
  const collector = drawStreet(
    quarter,
    { from: quarter.gate("south", 3), to: quarter.gate("north", 3) },
    [[6, 2], [5, 5], [7, 8], [6, 11], [6, 14]],
    { highway: random.pick(["residential", "unclassified"]), name: localName(quarter, 0), maxspeed: "30" },
  ) as [number, number, number, number, number];
  const east = drawStreet(
    quarter,
    { from: collector[1], to: collector[3] },
    [[9, 4], [12, 4], [14, 7], [13, 11], [10, 12], [8, 11.5]],
    { highway: "residential", name: localName(quarter, 1), ...(random.chance(0.5) ? { maxspeed: "30" } : {}) },
  );
  const west = drawStreet(quarter, { from: collector[0], to: collector[2] }, [[3, 3], [2, 6], [3, 9]], {
    highway: random.pick(["residential", "living_street"]),
    name: localName(quarter, 2),
  });
  const roads: [number, Place, Place][] = [
    [east[0] as number, [9.5, 2.5], [11, 2]],
    [east[2] as number, [12, 7.5], [10, 7]],
    [east[3] as number, [14.5, 13], [13, 14]],
    [west[1] as number, [1, 8], [1.2, 11]],
    [collector[4], [3.5, 13.5], [2, 13]],
    [collector[4], [9, 14], [11, 14.5]],
  ];
  roads.forEach(([from, middle, end], i) => drawCulDeSac(quarter, from, [middle, end], i));
  quarter.way([quarter.gate("west", 4), quarter.node(60, 420), west[2] as number], { highway: "footway", surface: "compacted" });
  quarter.way([quarter.gate("east", 4), quarter.node(760, 360), east[2] as number], footpathTags(quarter));
  quarter.way([east[4] as number, quarter.node(600, 700), quarter.gate("north", 6)], { highway: "cycleway", foot: "yes", segregated: "no" });
  if (random.chance(0.2)) drawClosedRoads(quarter);
}

function drawCulDeSac(quarter: Quarter, from: number, places: Place[], index: number): void {
  const tags: Tags = { highway: quarter.random.pick(["living_street", "residential"]), name: localName(quarter, 3 + index) };
  if (quarter.random.chance(0.15)) tags.access = "destination";
  drawStreet(quarter, { from }, places, tags);
}

function footpathTags(quarter: Quarter): Tags {
  return quarter.random.pick<Tags>([
    { highway: "path", surface: "unpaved" },
    { highway: "footway", footway: "sidewalk" },
    { highway: "path", bicycle: "designated", foot: "designated", surface: "asphalt" },
    { highway: "steps" },
  ]);
}

/** Streets that must not become part of a graph. */
function drawClosedRoads(quarter: Quarter): void {
  const places = quarter.drawing.nodes([quarter.point(700, 100), quarter.point(720, 180)]);
  quarter.way(places, { highway: "construction", construction: "residential", name: "Neubaugasse" });
  quarter.way(quarter.drawing.nodes([quarter.point(740, 100), quarter.point(760, 180)]), { highway: "proposed" });
}

/** High-rise estate: service roads, parking, a web of footways, stairs, a playground. */
export function drawEstate(quarter: Quarter): void {
  const { random } = quarter;
  const spine = drawStreet(
    quarter,
    { from: quarter.gate("west", 2), to: quarter.gate("east", 6) },
    [[3, 4], [6, 5], [8, 8], [10, 11], [13, 12]],
    { highway: "unclassified", name: localName(quarter, 0), maxspeed: "30" },
  );
  const service = drawStreet(quarter, { from: spine[1] as number, to: spine[3] as number }, [[8, 4], [12, 5], [12, 9]], {
    highway: "service",
    access: "destination",
  });
  const lot = [0, 1, 2].map((i) => quarter.nodeNear(640 + 25 * i, 300, 3));
  quarter.way([service[1] as number, ...lot], { highway: "service", service: "parking_aisle" });
  const web: number[][] = [];
  for (let b = 0; b < 4; b++) {
    web.push([0, 1, 2, 3].map((a) => quarter.nodeNear(120 + 80 * a, 440 + 80 * b, 10)));
    quarter.way(web[b] as number[], { highway: "footway", lit: "yes", ...(random.chance(0.3) ? { bicycle: "yes" } : {}) });
  }
  for (let a = 0; a < 4; a++) {
    const line = web.map((row) => row[a] as number);
    quarter.way(line, a === 1 ? { highway: "steps", ramp: "yes" } : { highway: "footway", surface: random.pick(["asphalt", "gravel"]) });
  }
  quarter.way([spine[2] as number, (web[0] as number[])[3] as number], { highway: "footway" });
  quarter.way([quarter.gate("north", 2), (web[3] as number[])[0] as number], { highway: "footway" });
  quarter.way([quarter.gate("west", 6), (web[1] as number[])[0] as number], { highway: "path" });
  quarter.node(300, 560, { amenity: "bicycle_parking", capacity: "12" });
  quarter.node(320, 540, { leisure: "playground" });
}

/** Works and depots: wide service roads, gates, freight yards behind private access. */
export function drawIndustry(quarter: Quarter): void {
  const { random } = quarter;
  const main = drawStreet(
    quarter,
    { from: quarter.gate("south", 4), to: quarter.gate("north", 4) },
    [[8, 3], [8, 6], [8.5, 9], [8, 12]],
    { highway: "tertiary", name: localName(quarter, 0), lanes: "2", hgv: "designated" },
  );
  const cross = drawStreet(quarter, { from: quarter.gate("west", 4), to: main[1] as number }, [[3, 8], [5, 7]], {
    highway: "unclassified",
    name: localName(quarter, 1),
    surface: random.pick(["asphalt", "concrete"]),
  });
  const access = ["private", "delivery", "customers", "no"];
  main.forEach((from, i) => {
    const yard = [0, 1, 2].map((k) => quarter.nodeNear(500 + 80 * k, 150 + 150 * i + 20 * k, 8));
    const tags: Tags = { highway: "service", access: access[i % access.length] as string };
    if (tags.access === "no") tags.foot = "yes";
    quarter.way([from, ...yard], tags);
  });
  quarter.way([cross[0] as number, quarter.node(140, 520, { barrier: "gate" }), quarter.node(120, 640)], {
    highway: "track",
    tracktype: "grade2",
    surface: "gravel",
    motor_vehicle: "agricultural",
  });
  quarter.way(quarter.drawing.nodes([quarter.point(20, 30), quarter.point(400, 60), quarter.point(780, 40)]), {
    railway: "rail",
    usage: "industrial",
  });
}

/** Fields at the edge of the town: lanes, tracks, a farm, a bridle path. */
export function drawCountryside(quarter: Quarter): void {
  const { random } = quarter;
  const lane = drawStreet(
    quarter,
    { from: quarter.gate("south", 5), to: quarter.gate("west", 5) },
    [[10, 4], [8, 8], [4, 10]],
    { highway: "unclassified", name: localName(quarter, 0), surface: random.pick(["asphalt", "unpaved"]) },
  );
  const track = [0, 1, 2].map((i) => quarter.nodeNear(420 + 80 * i, 520 + 40 * i, 20));
  quarter.way([lane[1] as number, ...track, quarter.gate("north", 6)], {
    highway: "track",
    surface: random.pick(["unpaved", "gravel", "grass", "dirt", "mud"]),
    ...(random.chance(0.3) ? { bicycle: "yes" } : {}),
  });
  quarter.way([track[2] as number, quarter.node(720, 560), quarter.gate("east", 5)], { highway: "bridleway" });
  const farm = quarter.node(300, 300);
  quarter.way([lane[2] as number, farm], { highway: "service", access: "agricultural" });
}
