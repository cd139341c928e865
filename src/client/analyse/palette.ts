/** Colours of times and of differences, for the map and its legend alike. */

/** Red, green, blue from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** From near to far; people who cannot tell red from green can distinguish them too. */
const RAMP: readonly Color[] = [
  [253, 231, 37],
  [122, 209, 81],
  [34, 168, 132],
  [42, 120, 142],
  [65, 68, 135],
  [92, 26, 122],
];

/** Edges between the colours of differences, minutes. */
export const DIFFERENCE_EDGES = [-20, -10, -5, -1, 1, 5, 10, 20] as const;
/** Minutes of difference below which nothing is coloured. */
export const SMALLEST_DIFFERENCE = Math.min(...DIFFERENCE_EDGES.map(Math.abs));

/**
 * From much faster to much slower, one more than edges. The middle one is for differences that are too small to matter.
 */
const DIFFERENCE_COLORS: ReadonlyArray<Color | undefined> = [
  [5, 48, 97],
  [33, 102, 172],
  [67, 147, 195],
  [146, 197, 222],
  undefined,
  [253, 190, 120],
  [239, 130, 60],
  [204, 76, 2],
  [127, 30, 4],
];

/** The area that only one of two origins reaches. */
export const ONLY_FIRST: Color = [192, 38, 120];
export const ONLY_SECOND: Color = [90, 50, 180];

/** The colour of a share from 0 (near) to 1 (far). */
export function rampColor(share: number): Color {
  const at = Math.max(0, Math.min(1, share)) * (RAMP.length - 1);
  const low = RAMP[Math.floor(at)] as Color;
  const high = RAMP[Math.ceil(at)] as Color;
  const mix = (channel: 0 | 1 | 2) => Math.round(low[channel] + (high[channel] - low[channel]) * (at % 1));
  return [mix(0), mix(1), mix(2)];
}

/** The colour of each cutoff, from the smallest. */
export function bandColors(count: number): Color[] {
  return Array.from({ length: count }, (_, position) => rampColor(count === 1 ? 0.4 : position / (count - 1)));
}

/** The colour of a difference in minutes; undefined where it is too small to show. */
export function differenceColor(minutes: number): Color | undefined {
  const beyond = DIFFERENCE_EDGES.findIndex((edge) => minutes < edge);
  return DIFFERENCE_COLORS[beyond < 0 ? DIFFERENCE_EDGES.length : beyond];
}

/** A colour as styles write it. */
export function cssColor(color: Color): string {
  return `rgb(${color.join(' ')})`;
}

/** The colour of places that are not reached. */
export const UNREACHED = '#8a8f96';
