/** Calls at stops as queries see them: positions in the engine's columns. */

import { GraphQLError } from 'graphql';
import type { CallTexts, StopTimes } from '../native/types.js';
import { Batch, Ref, range, type Session } from './session.js';

/** The calls of a batch of stops or trips. */
export class CallTable {
  readonly #trips: Batch<'trips'>;
  readonly #stops: Batch<'stops'>;
  readonly #patterns: Batch<'patterns'>;
  #texts: CallTexts | undefined;

  constructor(
    readonly session: Session,
    readonly times: StopTimes,
    /** Whether calls say which trip they belong to. */
    readonly named: boolean,
  ) {
    this.#trips = new Batch(session, 'trips', times.trips);
    this.#stops = new Batch(session, 'stops', times.stops);
    this.#patterns = new Batch(session, 'patterns', times.patterns);
  }

  /** Blocks and headsigns; read when they are first asked for. */
  get texts(): CallTexts {
    const { trips, stops, positions } = this.times;
    this.#texts ??= this.session.graph.callTexts(trips, stops, positions);
    return this.#texts;
  }

  trip(call: number): Ref<'trips'> | null {
    return this.named ? new Ref(this.#trips, call) : null;
  }

  stop(call: number): Ref<'stops'> {
    return new Ref(this.#stops, call);
  }

  /** The patterns of the stop (or trip) at a position of the batch, each with its calls. */
  groups(at: number): CallGroup[] {
    const { groupOffsets, callOffsets } = this.times;
    return range(groupOffsets, at).map((group) => ({
      pattern: new Ref(this.#patterns, group),
      calls: range(callOffsets, group).map((position) => ({ table: this, position })),
    }));
  }

  /** All calls of the stop (or trip) at a position of the batch. */
  calls(at: number): Call[] {
    return this.groups(at).flatMap(({ calls }) => calls);
  }
}

/** The calls of one pattern. */
export interface CallGroup {
  readonly pattern: Ref<'patterns'>;
  readonly calls: readonly Call[];
}

/** One call. */
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

/** Most calls per pattern that one field gets. */
const MOST_DEPARTURES = 1000;

/** The next calls at each stop of a batch. */
export function upcomingCalls({ batch }: Ref<'stops'>, given: UpcomingArguments): CallTable {
  const text = given.startTime ?? '0';
  if (!/^-?\d{1,15}$/.test(text))
    throw new GraphQLError(`startTime: "${text.slice(0, 40)}" is not a number of seconds`);
  const options = {
    startTime: Number(text) === 0 ? batch.session.nowSeconds : Number(text),
    timeRange: given.timeRange ?? 86_400,
    numberOfDepartures: Math.min(given.numberOfDepartures ?? 5, MOST_DEPARTURES),
    omitNonPickups: given.omitNonPickups ?? false,
  };
  return batch.once(`upcoming ${JSON.stringify(options)}`, () => {
    return new CallTable(batch.session, batch.session.graph.stopTimes(batch.indices, options), true);
  });
}
