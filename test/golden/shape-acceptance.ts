/** Decides whether ground, lines and images are as good as the recorded ones. */

import sharp from 'sharp';

type Position = readonly number[];
type Rings = readonly (readonly Position[])[];

/** A geometry of GeoJSON. */
export interface Geometry {
  readonly type: string;
  readonly coordinates: readonly unknown[];
}

/** Isochrones of several times. */
export interface Isochrones {
  readonly features: readonly {
    readonly geometry: Geometry | null;
    readonly properties: { readonly time?: number; readonly Time?: number };
  }[];
}

/** Least share of the ground of either answer that both have. */
const LEAST_OVERLAP = 0.93;
/** Points in a row and a column by which ground is compared. */
const GRID = 150;

/** Times without a feature, and those whose ground is another. */
export function isochroneDifferences(recorded: Isochrones, answer: Isochrones): string[] {
  const time = ({ properties }: Isochrones['features'][number]) => properties.time ?? properties.Time;
  return recorded.features.flatMap((feature) => {
    const ours = answer.features.find((other) => time(other) === time(feature));
    if (ours === undefined) return [`no feature for ${time(feature)} s`];
    if (feature.geometry === null || feature.geometry.coordinates.length === 0) return [];
    const share = overlap(ringsOf(feature.geometry.coordinates), ringsOf(ours.geometry?.coordinates ?? []));
    return share < LEAST_OVERLAP ? [`${time(feature)} s: ${share.toFixed(3)} of the ground is the same`] : [];
  });
}

/** Share of the grid's points in either ground that are in both; rings in rings are holes. */
function overlap(a: Rings, b: Rings): number {
  const positions = [...a, ...b].flat();
  const [lons, lats] = [0, 1].map((axis) => positions.map((position) => position[axis] ?? 0)) as [number[], number[]];
  const [west, south] = [Math.min(...lons), Math.min(...lats)];
  const [width, height] = [Math.max(...lons) - west, Math.max(...lats) - south];
  const [edgesA, edgesB] = [edgesOf(a), edgesOf(b)];
  let [both, either] = [0, 0];
  for (let row = 0; row < GRID; row += 1) {
    const lat = south + ((row + 0.5) / GRID) * height;
    const [isInA, isInB] = [insideOf(crossings(edgesA, lat)), insideOf(crossings(edgesB, lat))];
    for (let column = 0; column < GRID; column += 1) {
      const lon = west + ((column + 0.5) / GRID) * width;
      const [inA, inB] = [isInA(lon), isInB(lon)];
      if (inA && inB) both += 1;
      if (inA || inB) either += 1;
    }
  }
  return either === 0 ? 1 : both / either;
}

/** The edges of rings, four numbers each: from a longitude and latitude to the next. */
function edgesOf(rings: Rings): Float64Array {
  const edges = rings.flatMap((ring) =>
    ring.flatMap(([x = 0, y = 0], i) => {
      const [nextX = 0, nextY = 0] = ring[i + 1] ?? ring[0] ?? [];
      return [x, y, nextX, nextY];
    }),
  );
  return Float64Array.from(edges);
}

/** Where edges cross a parallel. Comparisons spend most of their time here. */
function crossings(edges: Float64Array, lat: number): number[] {
  const found: number[] = [];
  for (let at = 0; at < edges.length; at += 4) {
    const y = edges[at + 1] as number;
    const nextY = edges[at + 3] as number;
    if (y > lat === nextY > lat) continue;
    const x = edges[at] as number;
    found.push(x + ((lat - y) / (nextY - y)) * ((edges[at + 2] as number) - x));
  }
  return found;
}

/** Whether longitudes are inside, each at least as large as the one before. */
function insideOf(crossed: number[]): (lon: number) => boolean {
  const sorted = Float64Array.from(crossed).sort();
  let passed = 0;
  return (lon) => {
    while ((sorted[passed] as number) <= lon) passed += 1;
    return (sorted.length - passed) % 2 === 1;
  };
}

function ringsOf(nested: readonly unknown[]): Rings {
  const [first] = nested;
  if (!Array.isArray(first)) return [];
  if (typeof first[0] === 'number') return [nested as Position[]];
  return nested.flatMap((part) => ringsOf(part as unknown[]));
}

/** Size of the cells by which bare geometries are compared, degrees. */
const CELL = 0.002;
/** Least share of the cells, or of the ground, of either answer that both have. */
const LEAST_CELLS = 0.8;

/** Whether two geometries of one type cover about the same ground, or pass about the same cells. */
export function geometryDifferences(recorded: Geometry, answer: Geometry): string[] {
  if (recorded.type !== answer.type) return [`${answer.type} instead of ${recorded.type}`];
  if (recorded.type.endsWith('Polygon')) {
    const share = overlap(ringsOf(recorded.coordinates), ringsOf(answer.coordinates));
    return share < LEAST_CELLS ? [`${share.toFixed(3)} of the ground is the same`] : [];
  }
  const [a, b] = [recorded, answer].map(({ coordinates }) => passedCells(ringsOf(coordinates))) as [
    Set<string>,
    Set<string>,
  ];
  const both = [...a].filter((cell) => b.has(cell)).length;
  const share = a.size + b.size === 0 ? 1 : both / (a.size + b.size - both);
  return share < LEAST_CELLS ? [`${share.toFixed(3)} of the cells are the same`] : [];
}

function passedCells(lines: Rings): Set<string> {
  const passed = new Set<string>();
  for (const line of lines) {
    line.forEach(([x = 0, y = 0], i) => {
      const [nextX = x, nextY = y] = line[i + 1] ?? [];
      const steps = Math.ceil(Math.max(Math.abs(nextX - x), Math.abs(nextY - y)) / (CELL / 2)) + 1;
      for (let k = 0; k <= steps; k += 1) {
        const [lon, lat] = [x + ((nextX - x) * k) / steps, y + ((nextY - y) * k) / steps];
        passed.add(`${Math.round(lon / CELL)},${Math.round(lat / CELL)}`);
      }
    });
  }
  return passed;
}

/** Most that a channel of a pixel may differ, and the least share of pixels that have to be near. */
const NEAR = 24;
const TRANSPARENT = 12;
const LEAST_PIXELS = 0.9;

/** Whether most pixels are about the same. */
export async function imageDifferences(recorded: Buffer, answer: Buffer): Promise<string[]> {
  const [a, b] = await Promise.all([pixels(recorded), pixels(answer)]);
  if (a.width !== b.width || a.height !== b.height) return ['of another size'];
  let near = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const empty = (a.data[at + 3] ?? 0) <= TRANSPARENT && (b.data[at + 3] ?? 0) <= TRANSPARENT;
    const far = [0, 1, 2, 3].some(
      (channel) => Math.abs((a.data[at + channel] ?? 0) - (b.data[at + channel] ?? 0)) > NEAR,
    );
    if (empty || !far) near += 1;
  }
  const share = near / (a.width * a.height);
  return share < LEAST_PIXELS ? [`${share.toFixed(3)} of the pixels are the same`] : [];
}

/** Most cells by which the sides of grids may differ, and most seconds by which a quantile of the times may. */
const CELLS_APART = 4;
const SECONDS_APART = 90;

/** Whether a grid of times has about the same times. */
export async function timeGridDifferences(recorded: Buffer, answer: Buffer): Promise<string[]> {
  const [a, b] = await Promise.all([pixels(recorded), pixels(answer)]);
  const apart = Math.max(Math.abs(a.width - b.width), Math.abs(a.height - b.height));
  if (apart > CELLS_APART) return [`${b.width} × ${b.height} instead of ${a.width} × ${a.height} cells`];
  const [x, y] = [sortedSeconds(a.data), sortedSeconds(b.data)];
  if (x.length === 0 || y.length === 0) return x.length === y.length ? [] : ['one of the grids is empty'];
  const quantile = (values: readonly number[], share: number) => values[Math.floor(share * (values.length - 1))] ?? 0;
  return [0.1, 0.25, 0.5, 0.75, 0.9]
    .filter((share) => Math.abs(quantile(x, share) - quantile(y, share)) > SECONDS_APART)
    .map((share) => `quantile ${share}: ${quantile(y, share)} instead of ${quantile(x, share)} s`);
}

function sortedSeconds(data: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, , alpha = 0] = data.subarray(at, at + 4);
    if (alpha > 0 && green < 255) found.push(red + 256 * green);
  }
  return found.sort((a, b) => a - b);
}

async function pixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
