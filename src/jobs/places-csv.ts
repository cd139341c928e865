/** The places of a job as a CSV file, which people can join with its result. */

import { csvField } from '../analysis/csv-field.js';
import { nextTurn } from '../turns.js';

/** Columns that every place has or may have; amounts cannot use these names. */
const PLACE_COLUMNS = new Set(['id', 'lat', 'latitude', 'lon', 'longitude', 'lng']);

/** Whether amounts may have this name in a file of places. */
export function isPossibleColumn(name: string): boolean {
  return name.trim() === name && name !== '' && !PLACE_COLUMNS.has(name.toLowerCase());
}

/** Rows that are written before other work gets its turn. */
const SLICE = 20_000;

/** A row for each place: its id, its position (lat, lon, lat, lon, ...), and its amounts. */
export async function placesCsv(
  ids: ReadonlyArray<string | null> | undefined,
  positions: Float64Array,
  columns: ReadonlyMap<string, Int32Array> = new Map(),
): Promise<string> {
  const texts = [`${['id', 'lat', 'lon', ...columns.keys()].map(csvField).join(',')}\n`];
  const amounts = [...columns.values()];
  for (let from = 0; from < positions.length / 2; from += SLICE) {
    const end = Math.min(from + SLICE, positions.length / 2);
    const rows: string[] = [];
    for (let i = from; i < end; i += 1) {
      const id = csvField(ids?.[i] ?? String(i));
      rows.push([id, positions[2 * i], positions[2 * i + 1], ...amounts.map((values) => values[i])].join(','));
    }
    texts.push(`${rows.join('\n')}\n`);
    await nextTurn();
  }
  return texts.join('');
}
