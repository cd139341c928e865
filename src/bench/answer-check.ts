/** Judges answers in the same run that times them: a fast but wrong answer is worthless. */

import type { AnswerFormat } from './request-kinds.js';
import type { Answer } from './target.js';

/** The outcome of the requests. */
export interface Verdicts {
  /** Answers with at least one itinerary, or with a body of the expected format. */
  answered: number;
  /** Plans that say there is no trip. */
  withoutTrip: number;
  /** No answer, an error status, or a body that cannot be read. */
  failed: number;
  /** Answers with an itinerary that cannot be travelled. */
  infeasible: number;
  /** The faults of these itineraries, each once, with the first request that had it. */
  complaints: string[];
}

/** The members of a plan that the check reads, which are the same over HTTP and in process. */
interface CheckedPlan {
  plan?: { itineraries?: CheckedItinerary[] };
}

interface CheckedItinerary {
  startTime: number;
  endTime: number;
  transfers?: number;
  walkDistance?: number;
  legs: CheckedLeg[];
}

interface CheckedLeg {
  mode: string;
  startTime: number;
  endTime: number;
  from: CheckedPlace;
  to: CheckedPlace;
  /** The traveller stays in the vehicle of the leg before; over HTTP. */
  interlineWithPreviousLeg?: boolean;
  /** Seconds, of a vehicle without fixed times; over HTTP. */
  headway?: number;
  /** The same two members, in process. */
  transit?: { interlineWithPrevious: boolean; headway?: number };
}

interface CheckedPlace {
  lat: number;
  lon: number;
}

/** Judges the answers to a list of requests, which may have been sent several times. */
export function judge(
  format: AnswerFormat,
  answers: readonly Answer[],
  requests: ReadonlyArray<{ path: string }>,
): Verdicts {
  const verdicts: Verdicts = { answered: 0, withoutTrip: 0, failed: 0, infeasible: 0, complaints: [] };
  const faults = new Map<string, string>();
  answers.forEach((answer, i) => {
    const fault = judgeOne(format, answer, verdicts);
    if (fault === undefined || faults.has(fault)) return;
    faults.set(fault, requests[i % requests.length]?.path ?? '');
  });
  verdicts.complaints = [...faults].map(([fault, path]) => `${fault}: ${path}`);
  return verdicts;
}

/** Counts one answer; returns the fault of a bad one. */
function judgeOne(format: AnswerFormat, answer: Answer, verdicts: Verdicts): string | undefined {
  const value = format === 'any' ? undefined : answer.value();
  if (answer.status < 200 || answer.status >= 300 || (format !== 'any' && value === undefined)) {
    verdicts.failed++;
    return answer.status === 0 ? 'no answer' : `status ${answer.status}`;
  }
  if (format !== 'plan') {
    verdicts.answered++;
    return undefined;
  }
  const itineraries = (value as CheckedPlan).plan?.itineraries ?? [];
  if (itineraries.length === 0) {
    verdicts.withoutTrip++;
    return undefined;
  }
  verdicts.answered++;
  const fault = itineraries.map(faultOf).find((text) => text !== undefined);
  if (fault !== undefined) verdicts.infeasible++;
  return fault;
}

/** Keeps only what the check reads: thousands of whole plans would take more memory than the graph. */
export function checkedMembers({ plan }: CheckedPlan): CheckedPlan {
  if (!plan?.itineraries) return {};
  const place = ({ lat, lon }: CheckedPlace): CheckedPlace => ({ lat, lon });
  const itineraries = plan.itineraries.map(({ startTime, endTime, transfers, walkDistance, legs }) => ({
    startTime,
    endTime,
    transfers,
    walkDistance,
    legs: legs.map((leg) => ({
      mode: leg.mode,
      startTime: leg.startTime,
      endTime: leg.endTime,
      from: place(leg.from),
      to: place(leg.to),
      interlineWithPreviousLeg: leg.interlineWithPreviousLeg ?? leg.transit?.interlineWithPrevious ?? false,
      headway: leg.headway ?? leg.transit?.headway,
    })),
  }));
  return { plan: { itineraries } };
}

/** Degrees between the end of a leg and the start of the next (about 10 m). */
const GAP = 1e-4;
/** The same when the traveller stays aboard, because the vehicle may change stops (a few hundred metres). */
const GAP_ABOARD = 5e-3;
/** Longest time between the street and the vehicle, milliseconds: it is part of the itinerary but of no leg. */
const LINK_MS = 180_000;
const STREET_MODES: ReadonlySet<string> = new Set(['WALK', 'BICYCLE', 'CAR']);

/** Why an itinerary cannot be travelled: its legs overlap, run backwards in time, or do not meet. */
export function faultOf({ startTime, endTime, legs }: CheckedItinerary): string | undefined {
  const [first, last] = [legs[0], legs[legs.length - 1]];
  if (!first || !last) return 'no legs';
  if (!spans(first, first.startTime - startTime)) return 'the itinerary does not start with its first leg';
  if (!spans(last, endTime - last.endTime)) return 'the itinerary does not end with its last leg';
  for (const [i, leg] of legs.entries()) {
    if (leg.endTime < leg.startTime) return `a leg (${leg.mode}) ends before it starts`;
    const next = legs[i + 1];
    if (!next) continue;
    if (next.startTime < leg.endTime) return `a leg (${next.mode}) starts before the one before it (${leg.mode}) ends`;
    const aboard = next.interlineWithPreviousLeg || next.transit?.interlineWithPrevious;
    const apart = Math.max(Math.abs(leg.to.lat - next.from.lat), Math.abs(leg.to.lon - next.from.lon));
    if (apart > (aboard ? GAP_ABOARD : GAP))
      return `a leg (${next.mode}) starts elsewhere than the last (${leg.mode}) ends`;
  }
  return undefined;
}

/** Whether an itinerary may begin or end this long before or after its first or last leg. */
function spans(leg: CheckedLeg, milliseconds: number): boolean {
  return STREET_MODES.has(leg.mode) ? milliseconds === 0 : milliseconds >= 0 && milliseconds <= LINK_MS;
}
