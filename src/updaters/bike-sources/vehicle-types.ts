/** The kinds of vehicles of a system with GBFS since version 2.1, which may rent out scooters and cars too. */

import type { Json } from '../../json.js';
import { numeric, textual } from '../rental-station.js';

const BICYCLES = ['bicycle', 'cargo_bicycle'];
const CARS = ['car', 'moped'];

/** Says which vehicles and docks of a system are for bikes; with `asCars`, for cars. */
export class VehicleTypes {
  /** Ids of the types that count; undefined where the system has no types, so that all its vehicles count. */
  readonly #counted: ReadonlySet<string> | undefined;

  constructor(types: Json[] | undefined, asCars: boolean) {
    const wanted: readonly unknown[] = asCars ? CARS : BICYCLES;
    const counted = types?.filter(({ form_factor }) => wanted.includes(form_factor));
    if (types && types.length > 0) this.#counted = new Set(counted?.map((type) => textual(type.vehicle_type_id)));
  }

  /** Whether a vehicle counts; one without a type does if any vehicle of the system does. */
  counts(type: unknown): boolean {
    if (this.#counted === undefined) return true;
    const id = textual(type);
    return id === '' ? this.#counted.size > 0 : this.#counted.has(id);
  }

  /** The vehicles at a station; NaN where their number is unknown. */
  vehicles(status: Json): number {
    const total = numeric(status?.num_bikes_available ?? status?.num_vehicles_available);
    return this.#sum(status?.vehicle_types_available, total, (row) => this.counts(row.vehicle_type_id));
  }

  /** The free docks of a station; NaN where their number is unknown. */
  docks(status: Json, otherwise: unknown): number {
    const total = numeric(status?.num_docks_available ?? otherwise);
    return this.#sum(status?.vehicle_docks_available, total, ({ vehicle_type_ids: ids }) =>
      Array.isArray(ids) ? ids.some((id) => this.counts(id)) : this.counts(undefined),
    );
  }

  /** The sum of the rows that count, of those with a number; without rows, the total if any type counts. */
  #sum(rows: unknown, total: number, counts: (row: Json) => boolean): number {
    if (this.#counted === undefined) return total;
    if (!Array.isArray(rows) || rows.length === 0) return this.counts(undefined) ? total : 0;
    return rows.reduce((sum, row) => (row && counts(row) ? sum + (numeric(row.count) || 0) : sum), 0);
  }
}
