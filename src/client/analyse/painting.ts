/** Grids of travel times as pictures for the map. */

import type { Corners } from '../map/picture.js';
import { bandColors, type Color, differenceColor, ONLY_FIRST, ONLY_SECOND, rampColor } from './palette.js';
import type { TravelTimes } from './travel-times.js';

/** How one grid is painted. */
export interface Style {
  /** In steps at the cutoffs, or continuous. */
  readonly drawing: 'bands' | 'surface';
  /** Minutes, ascending. */
  readonly cutoffs: readonly number[];
}

const OPAQUE = 255;
/** Most pixels of a picture: as many as can be painted between two frames of the screen, or when there is time. */
const MOST_PIXELS = { coarse: 140_000, fine: 1_400_000 };
const MOST_PIXELS_PER_CELL = 6;

/** The travel times from one place. */
export function paintTimes(canvas: HTMLCanvasElement, times: TravelTimes, style: Style, detail: Detail): Corners {
  const table = colorTable(style);
  const longest = (style.cutoffs.at(-1) ?? 0) * 60;
  return paint(canvas, times, detail, (column, row) => {
    const seconds = times.between(column, row);
    return seconds <= longest ? table[Math.floor(seconds / SECONDS_PER_COLOR)] : undefined;
  });
}

/** By how much the second is slower than the first, and the area that only one of them reaches. */
export function paintDifference(
  canvas: HTMLCanvasElement,
  first: TravelTimes,
  second: TravelTimes,
  detail: Detail,
): Corners {
  const all = unionFrame(first, second);
  const { south, west, latStep, lonStep } = all.frame;
  const reader = (times: TravelTimes) => {
    const { frame } = times;
    const [x0, y0] = [(west - frame.west) / frame.lonStep, (south - frame.south) / frame.latStep];
    const [dx, dy] = [lonStep / frame.lonStep, latStep / frame.latStep];
    return (column: number, row: number) => times.between(x0 + column * dx, y0 + row * dy);
  };
  const [one, other] = [reader(first), reader(second)];
  return paint(canvas, all, detail, (column, row) => {
    const [a, b] = [one(column, row), other(column, row)];
    if (Number.isNaN(a)) return Number.isNaN(b) ? undefined : ONLY_SECOND;
    return Number.isNaN(b) ? ONLY_FIRST : differenceColor((b - a) / 60);
  });
}

/** How many pixels there is time for. */
type Detail = keyof typeof MOST_PIXELS;

const SECONDS_PER_COLOR = 15;

/** Colours by time, in steps that are too small to be noticed. */
function colorTable({ drawing, cutoffs }: Style): Color[] {
  const longest = (cutoffs.at(-1) ?? 0) * 60;
  const bands = bandColors(cutoffs.length);
  return Array.from({ length: Math.floor(longest / SECONDS_PER_COLOR) + 1 }, (_, step) => {
    const seconds = step * SECONDS_PER_COLOR;
    if (drawing === 'surface') return rampColor(seconds / longest);
    const band = cutoffs.findIndex((cutoff) => seconds < cutoff * 60);
    return bands[band < 0 ? bands.length - 1 : band] as Color;
  });
}

/** Paints the grid's area, with rows as the map projects them. */
function paint(
  canvas: HTMLCanvasElement,
  { frame }: Pick<TravelTimes, 'frame'>,
  detail: Detail,
  colorAt: (column: number, row: number) => Color | undefined,
): Corners {
  const { south, west, latStep, lonStep, columns, rows } = frame;
  const perCell = Math.min(MOST_PIXELS_PER_CELL, Math.sqrt(MOST_PIXELS[detail] / (columns * rows)));
  const width = Math.max(1, Math.round(columns * perCell));
  const height = Math.max(1, Math.round(rows * perCell));
  // Half a cell around the outer points.
  const [low, high] = [south - latStep / 2, south + (rows - 0.5) * latStep];
  const [left, right] = [west - lonStep / 2, west + (columns - 0.5) * lonStep];
  const [bottom, top] = [mercator(low), mercator(high)];
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let y = 0; y < height; y++) {
    const lat = latitude(top + ((bottom - top) * (y + 0.5)) / height);
    const row = (lat - south) / latStep;
    for (let x = 0; x < width; x++) {
      const color = colorAt(((x + 0.5) / width) * columns - 0.5, row);
      if (color) pixels[y * width + x] = (OPAQUE << 24) | (color[2] << 16) | (color[1] << 8) | color[0];
    }
  }
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  return [
    [left, high],
    [right, low],
  ];
}

function mercator(lat: number): number {
  return Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360));
}

function latitude(y: number): number {
  return (Math.atan(Math.exp(y)) * 360) / Math.PI - 90;
}

/** A grid as fine as the first one that covers both. */
function unionFrame(first: TravelTimes, second: TravelTimes): Pick<TravelTimes, 'frame'> {
  const { latStep, lonStep } = first.frame;
  const frames = [first.frame, second.frame];
  const south = Math.min(...frames.map((frame) => frame.south));
  const west = Math.min(...frames.map((frame) => frame.west));
  const north = Math.max(...frames.map((frame) => frame.south + (frame.rows - 1) * frame.latStep));
  const east = Math.max(...frames.map((frame) => frame.west + (frame.columns - 1) * frame.lonStep));
  const columns = Math.ceil((east - west) / lonStep) + 1;
  const rows = Math.ceil((north - south) / latStep) + 1;
  return { frame: { south, west, latStep, lonStep, columns, rows } };
}
