/** How values are written in the address. */

import { formatCoordinate, type Place, parseCoordinate } from './place.js';

/** Writes values as text and reads them. */
interface Codec<T> {
  /** Undefined for a text that is not such a value. */
  read(text: string): T | undefined;
  write(value: T): string;
}

/** A member of the state: its value when the address does not contain it, and its form in the address. */
export interface Field<T> {
  readonly initial: T;
  readonly codec: Codec<T>;
}

/** Any text. */
export function text(initial = ''): Field<string> {
  return { initial, codec: { read: (written) => written, write: (value) => value } };
}

/** One of several words. */
export function oneOf<const W extends string>(words: readonly W[], initial: NoInfer<W>): Field<W> {
  return { initial, codec: { read: (written) => words.find((word) => word === written), write: (value) => value } };
}

/** True or false. */
export function flag(): Field<boolean> {
  const read = (written: string) => (written === 'true' ? true : written === 'false' ? false : undefined);
  return { initial: false, codec: { read, write: String } };
}

/** A number within limits, at first 0. */
export function number({ least = -Infinity, most = Infinity } = {}): Field<number> {
  const read = (written: string) => {
    const value = Number(written);
    return written.trim() !== '' && value >= least && value <= most ? value : undefined;
  };
  return { initial: 0, codec: { read, write: String } };
}

/** A value that may be absent. */
export function optional<T>(codec: Codec<T>): Field<T | undefined> {
  const write = (value: T | undefined) => (value === undefined ? '' : codec.write(value));
  return {
    initial: undefined,
    codec: { read: (written) => (written === '' ? undefined : codec.read(written)), write },
  };
}

/** Values with a separator between them; those that cannot be read are left out. */
export function listOf<T>(codec: Codec<T>, separator = '~', initial: readonly T[] = []): Field<readonly T[]> {
  const read = (written: string) =>
    written
      .split(separator)
      .map((part) => codec.read(part))
      .filter((value): value is T & {} => value !== undefined);
  const write = (values: readonly T[]) => values.map((value) => codec.write(value)).join(separator);
  return { initial, codec: { read, write } };
}

/** `2026-11-23` */
export const DATE: Codec<string> = {
  read(written) {
    if (!/^\d{4}-\d\d-\d\d$/.test(written)) return undefined;
    // Some browsers take 31 February for a day of March.
    const day = new Date(`${written}T00:00:00Z`);
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(written) ? written : undefined;
  },
  write: (date) => date,
};

/** `08:05` */
export const TIME: Codec<string> = {
  read: (written) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(written) ? written : undefined),
  write: (time) => time,
};

/** `name::lat,lon`, as the interface takes places; or `lat,lon`. */
export const PLACE: Codec<Place> = {
  read(written) {
    const end = written.lastIndexOf('::');
    const at = parseCoordinate(end < 0 ? written : written.slice(end + 2));
    if (at === undefined) return undefined;
    return end > 0 ? { ...at, name: written.slice(0, end) } : at;
  },
  write: ({ name, ...at }) => (name === undefined ? '' : `${name.replaceAll('~', ' ')}::`) + formatCoordinate(at),
};

/** A name without separators. */
export const WORD: Codec<string> = {
  read: (written) => (/^\w+$/.test(written) ? written : undefined),
  write: (word) => word,
};

/** Percentages of the priorities by bicycle; speed has the remainder. */
export interface BikeWeights {
  readonly safety: number;
  readonly flatness: number;
}

/** `40,20` */
export const BIKE_WEIGHTS: Codec<BikeWeights> = {
  read(written) {
    const match = /^(\d{1,3}),(\d{1,3})$/.exec(written);
    const [safety, flatness] = [Number(match?.[1]), Number(match?.[2])];
    return match && safety + flatness <= 100 ? { safety, flatness } : undefined;
  },
  write: ({ safety, flatness }) => `${safety},${flatness}`,
};

/** Kinds of things that can be shown. */
const THING_KINDS = ['stop', 'stops', 'line', 'lines', 'trip', 'rental', 'vehicle'] as const;

/** An entity of the index; `stops` and `lines` are several, with commas between their ids. */
export interface Thing {
  readonly kind: (typeof THING_KINDS)[number];
  readonly id: string;
}

/** `stop/1:TRD1` */
export const THING: Codec<Thing> = {
  read(written) {
    const [, word, id] = /^(\w+)\/(.+)$/s.exec(written) ?? [];
    const kind = THING_KINDS.find((known) => known === word);
    return kind !== undefined && id !== undefined ? { kind, id } : undefined;
  },
  write: ({ kind, id }) => `${kind}/${id}`,
};

/** Minutes of a travel time. */
export const MINUTES: Codec<number> = {
  read: (written) => (/^\d{1,3}$/.test(written) && Number(written) > 0 ? Number(written) : undefined),
  write: String,
};
