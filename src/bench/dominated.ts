/** Looks for first itineraries that are dominated by another trip, which the same server finds with other requests. */

import { planRequest, type TimedTrip } from './random-trips.js';
import type { BenchRequest } from './request-kinds.js';
import { callAll } from './series.js';
import type { Answer, Target } from './target.js';

/** The members of an itinerary that are compared, which are the same over HTTP and in process. */
export interface ComparedItinerary {
  /** Epoch milliseconds. */
  startTime: number;
  endTime: number;
  transfers: number;
  /** Metres. */
  walkDistance: number;
  legs?: readonly ComparedLeg[];
}

interface ComparedLeg {
  /** Seconds; only where the vehicle has no fixed times. */
  headway?: number;
}

/** A request whose first itinerary is dominated. */
interface DominatedCase {
  request: string;
  first: ComparedItinerary;
  /** The trip that gains most compared with it. */
  better: ComparedItinerary;
  /** The request that finds it. */
  foundBy: string;
  /** Seconds by which it leaves later plus seconds by which it arrives earlier. */
  gain: number;
}

/** The outcome of the requests of one direction. */
interface DominatedCount {
  arriveBy: boolean;
  requests: number;
  /** Answers with at least one itinerary. */
  answered: number;
  /** No answer, an error status, or a body that cannot be read. */
  failed: number;
  dominated: DominatedCase[];
}

/** A trip dominates another one only if it gains more than this, milliseconds. */
const GAIN_MS = 300_000;
/** Metres by which it may have more walking. */
const MORE_WALKING_M = 200;
/** Itineraries requested in the further requests. */
const MANY = '6';
/** Number of departures requested between the start and the end of an itinerary, and of arrivals. */
const STEPS = 4;

/**
 * Whether one trip dominates another: it leaves no earlier, arrives no later, gains more than five minutes beyond the
 * headways of the vehicles without fixed times, has no more transfers, and at most 200 m more walking.
 */
export function dominates(better: ComparedItinerary, other: ComparedItinerary): boolean {
  return (
    better.startTime >= other.startTime &&
    better.endTime <= other.endTime &&
    gainOf(better, other) > GAIN_MS + Math.max(headwaysOf(better), headwaysOf(other)) &&
    better.transfers <= other.transfers &&
    better.walkDistance <= other.walkDistance + MORE_WALKING_M
  );
}

function gainOf(better: ComparedItinerary, other: ComparedItinerary): number {
  return better.startTime - other.startTime + (other.endTime - better.endTime);
}

/**
 * The headways of the vehicles without fixed times, milliseconds. The wait for such a vehicle is counted before
 * boarding when departing at a time, and after alighting when arriving by one, but no itinerary shows a wait at its own
 * start or end. So the same trip may look shorter by its headways when requested in the other direction.
 */
function headwaysOf({ legs = [] }: ComparedItinerary): number {
  return legs.reduce((sum, { headway = 0 }) => sum + headway * 1000, 0);
}

/** Requests every trip by departure and by arrival, and compares the first itinerary with all others found. */
export async function countDominated(
  target: Target,
  router: string,
  trips: readonly TimedTrip[],
  settings: Readonly<Record<string, string>>,
  atATime: number,
): Promise<DominatedCount[]> {
  const counts: DominatedCount[] = [];
  for (const arriveBy of [false, true]) {
    const ask = (trip: TimedTrip, more: Record<string, string> = {}) =>
      planRequest(router, trip, { ...settings, arriveBy: String(arriveBy), ...more });
    const count: DominatedCount = { arriveBy, requests: trips.length, answered: 0, failed: 0, dominated: [] };
    const calls = trips.map((trip) => async () => {
      const request = ask(trip);
      const answer = await target.prepare(request)();
      const itineraries = itinerariesOf(answer);
      if (!itineraries) count.failed++;
      const [first, ...others] = itineraries ?? [];
      if (!first) return answer;
      count.answered++;
      const related = await relatedTrips(target, [
        ask(trip, { numItineraries: MANY }),
        ...requestsWithin(ask, trip, first),
      ]);
      const found = [...others.map((itinerary) => ({ itinerary, request })), ...related];
      const better = mostGain(found, first);
      if (better) count.dominated.push(caseOf(request, first, better));
      return answer;
    });
    await callAll(calls, atATime);
    counts.push(count);
  }
  return counts;
}

/** Requests for the same trip at times within an itinerary: departures from its start on, arrivals up to its end. */
function requestsWithin(
  ask: (trip: TimedTrip, more: Record<string, string>) => BenchRequest,
  trip: TimedTrip,
  { startTime, endTime }: ComparedItinerary,
): BenchRequest[] {
  return Array.from({ length: STEPS }, (_, i) => (i * (endTime - startTime)) / STEPS / 1000).flatMap((seconds) => [
    ask({ ...trip, epochSeconds: Math.ceil(startTime / 1000 + seconds) }, { arriveBy: 'false', numItineraries: MANY }),
    ask({ ...trip, epochSeconds: Math.floor(endTime / 1000 - seconds) }, { arriveBy: 'true', numItineraries: MANY }),
  ]);
}

interface FoundTrip {
  itinerary: ComparedItinerary;
  request: BenchRequest;
}

async function relatedTrips(target: Target, requests: readonly BenchRequest[]): Promise<FoundTrip[]> {
  const found: FoundTrip[] = [];
  for (const request of requests) {
    const itineraries = itinerariesOf(await target.prepare(request)()) ?? [];
    found.push(...itineraries.map((itinerary) => ({ itinerary, request })));
  }
  return found;
}

/** The trip that dominates an itinerary by the most, if any does. */
function mostGain(found: readonly FoundTrip[], first: ComparedItinerary): FoundTrip | undefined {
  return found
    .filter(({ itinerary }) => dominates(itinerary, first))
    .sort((a, b) => gainOf(b.itinerary, first) - gainOf(a.itinerary, first))[0];
}

function caseOf(request: BenchRequest, first: ComparedItinerary, better: FoundTrip): DominatedCase {
  return {
    request: request.path,
    first: compared(first),
    better: compared(better.itinerary),
    foundBy: better.request.path,
    gain: Math.round(gainOf(better.itinerary, first) / 1000),
  };
}

function compared({ startTime, endTime, transfers, walkDistance }: ComparedItinerary): ComparedItinerary {
  return { startTime, endTime, transfers, walkDistance };
}

/** The itineraries of an answer, none when there is no trip; undefined when it failed. */
function itinerariesOf(answer: Answer): ComparedItinerary[] | undefined {
  const value = answer.value() as { plan?: { itineraries?: ComparedItinerary[] } } | undefined;
  if (answer.status !== 200 || value === undefined) return undefined;
  return value.plan?.itineraries ?? [];
}

/** The counts and every case as text. */
export function dominatedText(counts: readonly DominatedCount[]): string {
  const lines = counts.flatMap(({ arriveBy, requests, answered, failed, dominated }) => [
    `${arriveBy ? 'arriving by ' : 'departing at'}  dominated ${dominated.length} of ${requests} (${answered} answered, ${failed} failed)`,
    ...dominated.flatMap(({ request, first, better, foundBy, gain }) => [
      `  ${(gain / 60).toFixed(0)} min  ${request}`,
      `    given   ${itineraryText(first)}`,
      `    better  ${itineraryText(better)}  found by ${foundBy}`,
    ]),
  ]);
  return `${lines.join('\n')}\n`;
}

function itineraryText({ startTime, endTime, transfers, walkDistance }: ComparedItinerary): string {
  const [start, end] = [startTime, endTime].map((time) => new Date(time).toISOString().replace('.000', ''));
  return `${start} – ${end}, ${transfers} transfers, ${Math.round(walkDistance)} m`;
}
