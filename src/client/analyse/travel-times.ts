/** Travel times to everywhere, as a grid of points. */

import type { ValuePicture } from '../api/pixels.js';
import { METRES_PER_DEGREE } from '../state/place.js';

/** Where the points of a grid are: rows from south to north, evenly spaced in degrees. */
interface GridFrame {
  /** The first point. */
  readonly south: number;
  readonly west: number;
  /** Degrees between points. */
  readonly latStep: number;
  readonly lonStep: number;
  readonly columns: number;
  readonly rows: number;
}

/** Seconds at the points of a grid; NaN where nothing is reached. */
export class TravelTimes {
  constructor(
    readonly frame: GridFrame,
    readonly seconds: Float32Array,
  ) {}

  /** West, south, east and north of the points that are reached. */
  get bounds(): [west: number, south: number, east: number, north: number] {
    const { south, west, latStep, lonStep, columns } = this.frame;
    let [left, right, low, high] = [columns, 0, Infinity, 0];
    for (const [at, value] of this.seconds.entries()) {
      if (Number.isNaN(value)) continue;
      const [column, row] = [at % columns, Math.floor(at / columns)];
      left = Math.min(left, column);
      right = Math.max(right, column);
      low = Math.min(low, row);
      high = row;
    }
    return [west + left * lonStep, south + low * latStep, west + right * lonStep, south + high * latStep];
  }

  /** Seconds to a position, interpolated between the nearest points; undefined where nothing is reached. */
  at(lat: number, lon: number): number | undefined {
    const { south, west, latStep, lonStep } = this.frame;
    const value = this.between((lon - west) / lonStep, (lat - south) / latStep);
    return Number.isNaN(value) ? undefined : value;
  }

  /** Seconds at a column and row, which may lie between points. */
  between(column: number, row: number): number {
    const { columns, rows } = this.frame;
    const x = Math.floor(column);
    const y = Math.floor(row);
    if (x < -1 || y < -1 || x >= columns || y >= rows) return Number.NaN;
    const dx = column - x;
    const dy = row - y;
    let sum = 0;
    let weights = 0;
    for (let corner = 0; corner < 4; corner++) {
      const cx = x + (corner & 1);
      const cy = y + (corner >> 1);
      if (cx < 0 || cy < 0 || cx >= columns || cy >= rows) continue;
      const value = this.seconds[cy * columns + cx] as number;
      if (Number.isNaN(value)) continue;
      const weight = (corner & 1 ? dx : 1 - dx) * (corner >> 1 ? dy : 1 - dy);
      sum += weight * value;
      weights += weight;
    }
    // Beyond the reached points, a position is reached only if it is less than half way to the next point.
    return weights < 0.5 ? Number.NaN : sum / weights;
  }
}

/** The content of an image: red, green, blue and alpha of each pixel, from the upper left. */
export type Pixels = Omit<ValuePicture, 'headers'>;

/**
 * The time grid of the server: red and green hold the seconds, blue the distance off the road in percent of a cell, and
 * the first row is the southernmost.
 *
 * @param offRoadM distance up to which a point counts as reached.
 * @param longest seconds from which on it does not.
 */
export function readTimeGrid(
  { width, height, data }: Pixels,
  frame: Pick<GridFrame, 'south' | 'west' | 'latStep' | 'lonStep'>,
  { offRoadM, longest }: { offRoadM: number; longest: number },
): TravelTimes {
  const seconds = new Float32Array(width * height).fill(Number.NaN);
  const farthest = ((offRoadM / METRES_PER_DEGREE) * 100) / frame.latStep;
  for (let at = 0; at < seconds.length; at++) {
    const pixel = at * 4;
    const time = (data[pixel] as number) + (data[pixel + 1] as number) * 256;
    if (data[pixel + 3] !== 0 && (data[pixel + 2] as number) <= farthest && time <= longest) seconds[at] = time;
  }
  return new TravelTimes({ ...frame, columns: width, rows: height }, seconds);
}

/** Pixels of a raster of minutes with at least this value have no time. */
const NO_MINUTES = 128;

/** A raster of minutes in degrees, the northernmost row first, with the edges of its pixels. */
export function readRaster({ width, height, data }: Pixels, bounds: readonly number[], longest: number): TravelTimes {
  const [west = 0, south = 0, east = 0, north = 0] = bounds;
  const lonStep = (east - west) / width;
  const latStep = (north - south) / height;
  const seconds = new Float32Array(width * height).fill(Number.NaN);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const minutes = data[((height - 1 - row) * width + column) * 4] as number;
      if (minutes < NO_MINUTES && minutes * 60 <= longest) seconds[row * width + column] = minutes * 60;
    }
  }
  const frame = {
    south: south + latStep / 2,
    west: west + lonStep / 2,
    latStep,
    lonStep,
    columns: width,
    rows: height,
  };
  return new TravelTimes(frame, seconds);
}
