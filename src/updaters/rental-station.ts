/** A bike rental station, in the form that the sources and the interface share. */

/** Number of spaces when the source gives none: the largest 32-bit integer. */
export const UNKNOWN_SPACES = 2_147_483_647;

/** Most stations and bikes of one updater: more would take hundreds of megabytes. */
export const MOST_STATIONS = 100_000;

/** Throws if these are more stations, or bikes, than an updater may have. */
export function requireFewStations<T>(stations: readonly T[]): readonly T[] {
  if (stations.length <= MOST_STATIONS) return stations;
  throw new Error(`${stations.length} stations or bikes, but an updater may have at most ${MOST_STATIONS}`);
}

/** A station, or a bike that is parked anywhere. */
export interface RentalStation {
  readonly id: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  readonly bikesAvailable: number;
  readonly spacesAvailable: number;
  readonly allowDropoff: boolean;
  readonly isFloatingBike: boolean;
  readonly isCarStation: boolean;
  readonly networks: readonly string[] | undefined;
  /** Whether the numbers are current. */
  readonly realTimeData: boolean;
}

/** The members of a station that a source gives. */
export type StationFacts = Pick<RentalStation, 'id' | 'name' | 'lat' | 'lon'> & Partial<RentalStation>;

/** A station with defaults for members that most sources leave out. Undefined when it has no usable id or position. */
export function station(facts: StationFacts): RentalStation | undefined {
  const { lat, lon, id } = facts;
  if (id === '' || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) return undefined;
  return {
    isFloatingBike: false,
    isCarStation: false,
    allowDropoff: true,
    networks: undefined,
    realTimeData: true,
    ...facts,
    bikesAvailable: amount(facts.bikesAvailable ?? 0),
    spacesAvailable: amount(facts.spacesAvailable ?? UNKNOWN_SPACES),
  };
}

/**
 * A number in a document; NaN where there is none. `Number` turns an empty text and null into 0, which would put a
 * station without a position in the Gulf of Guinea.
 */
export function numeric(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** A text or a number in a document, as text; empty where there is neither. */
export function textual(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function amount(value: number): number {
  return Number.isFinite(value) ? Math.min(UNKNOWN_SPACES, Math.max(0, Math.floor(value))) : 0;
}
