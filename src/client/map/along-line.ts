/** Points along lines. */

import type { Position } from '../state/place.js';

/** The point at a share of a line's length; undefined for a line without points. */
export function alongLine(
  line: ReadonlyArray<readonly [lat: number, lon: number]>,
  share: number,
): Position | undefined {
  const [first] = line;
  if (!first) return undefined;
  const squeeze = Math.cos((first[0] * Math.PI) / 180);
  const lengths = line.slice(1).map(([lat, lon], index) => {
    const [lat0, lon0] = line[index] ?? [lat, lon];
    return Math.hypot(lat - lat0, (lon - lon0) * squeeze);
  });
  let left = Math.max(0, Math.min(1, share)) * lengths.reduce((sum, length) => sum + length, 0);
  for (const [index, length] of lengths.entries()) {
    const [from, to] = [line[index], line[index + 1]];
    if (!from || !to) break;
    if (left <= length || index === lengths.length - 1) {
      const part = length === 0 ? 0 : Math.min(1, left / length);
      return { lat: from[0] + (to[0] - from[0]) * part, lon: from[1] + (to[1] - from[1]) * part };
    }
    left -= length;
  }
  return { lat: first[0], lon: first[1] };
}
