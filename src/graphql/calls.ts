/** Calls at stops as queries see them: positions in the engine's columns. */

import { GraphQLError } from 'graphql';
import { range } from '../native/list-range.js';
import type { CallTexts, StopTimes } from '../native/types.js';
import { quoted } from '../quoted.js';
import { batched, type GraphReader, type LongList, type Paced, type Ref } from './graph-reader.js';

/** The calls of a batch of stops or trips. */
export class CallTable {
  readonly #trips: (call: number) => Ref<'trips'>;
  readonly #patterns: (group: number) => Ref<'patterns'>;
  readonly stop: (call: number) => Ref<'stops'>;
  #texts: CallTexts | undefined;

  constructor(
    readonly reader: GraphReader,
    readonly times: StopTimes,
    /** Whether calls include their trips. */
    readonly named: boolean,
  ) {
    reader.read(times.trips.length);
    this.#trips = batched(reader, 'trips', times.trips);
    this.#patterns = batched(reader, 'patterns', times.patterns);
    this.stop = batched(reader, 'stops', times.stops);
  }

  /** Blocks and headsigns, read at first use. */
  get texts(): CallTexts {
    const { trips, stops, positions } = this.times;
    this.#texts ??= this.reader.graph.callTextsSync(trips, stops, positions);
    return this.#texts;
  }

  trip(call: number): Ref<'trips'> | null {
    return this.named ? this.#trips(call) : null;
  }

  /** The patterns of the stop (or trip) at a position of the batch, each with its calls. */
  groups(at: number): Paced<CallGroup> | LongList<CallGroup> {
    const groups = range(this.times.groupOffsets, at);
    return this.reader.paced(groups.map((group) => ({ pattern: this.#patterns(group), table: this, group })));
  }

  callsOf(group: number): Paced<Call> | LongList<Call> {
    return this.reader.pacedRows(this.#calls(group));
  }

  /** All calls of the stop (or trip) at a position of the batch. */
  calls(at: number): Call[] {
    return range(this.times.groupOffsets, at).flatMap((group) => this.#calls(group));
  }

  #calls(group: number): Call[] {
    return range(this.times.callOffsets, group).map((position) => ({ table: this, position }));
  }
}

/** The calls of one pattern. */
export interface CallGroup {
  readonly pattern: Ref<'patterns'>;
  readonly table: CallTable;
  readonly group: number;
}

export interface Call {
  readonly table: CallTable;
  readonly position: number;
}

/** When a call departs, epoch seconds. */
export function departure({ table: { times }, position }: Call): number {
  return (times.serviceDays[position] ?? 0) + (times.realtimeDepartures[position] ?? 0);
}

/** Arguments of the fields that list the next calls. */
export interface UpcomingArguments {
  startTime?: string | null;
  timeRange?: number | null;
  numberOfDepartures?: number | null;
  omitNonPickups?: boolean | null;
}

/** Most calls per pattern that one field returns. */
const MOST_DEPARTURES = 1000;

/** With more calls per pattern, fewer stops are read together. */
const MANY_DEPARTURES = 20;

/** The next calls at a stop of a batch: the calls of the batch, and the stop's position in it. */
export function upcomingCalls(stop: Ref<'stops'>, given: UpcomingArguments): { table: CallTable; at: number } {
  const text = given.startTime ?? '0';
  if (!/^-?\d{1,15}$/.test(text)) throw new GraphQLError(`startTime: ${quoted(text)} is not a number of seconds`);
  const options = {
    startTime: Number(text) === 0 ? stop.reader.nowSeconds : Number(text),
    timeRange: given.timeRange ?? 86_400,
    numberOfDepartures: Math.min(given.numberOfDepartures ?? 5, MOST_DEPARTURES),
    omitNonPickups: given.omitNonPickups ?? false,
  };
  const { batch, at } = options.numberOfDepartures > MANY_DEPARTURES ? stop.amongFew : stop;
  const table = batch.once(`upcoming ${JSON.stringify(options)}`, () => {
    return new CallTable(batch.reader, batch.reader.graph.stopTimesSync(batch.indices, options), true);
  });
  return { table, at };
}
