/** How fine a grid of travel times is. */

/** Metres of a cell by cutoff in minutes: short trips need small cells, and long ones would need too many of them. */
const CELLS: ReadonlyArray<readonly [minutes: number, metres: number]> = [
  [12, 20],
  [20, 30],
  [30, 50],
  [45, 75],
  [60, 100],
  [90, 150],
];
const LARGEST_CELL = 200;
/** While the origin is dragged, pictures have to come quickly. */
const DRAGGED_CELLS = 2;
const LEAST_DRAGGED_CELL = 40;

/** Metres of a cell for the longest cutoff in minutes. */
export function cellMetres(longestMinutes: number, dragged = false): number {
  const cell = CELLS.find(([minutes]) => longestMinutes <= minutes)?.[1] ?? LARGEST_CELL;
  return dragged ? Math.min(LARGEST_CELL, Math.max(LEAST_DRAGGED_CELL, cell * DRAGGED_CELLS)) : cell;
}
