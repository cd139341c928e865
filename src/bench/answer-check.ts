/** Judges answers in the run that timed them: a fast wrong answer is no answer. */

import type { AnswerForm } from './request-kinds.js';
import type { Answer } from './target.js';

/** What became of the requests. */
export interface Verdicts {
  /** With at least one itinerary, or with a body of the expected form. */
  answered: number;
  /** Plans that say there is no trip. */
  withoutTrip: number;
  /** No answer, an error status, or a body that cannot be read. */
  failed: number;
  /** Answers with an itinerary that cannot be travelled. */
  infeasible: number;
  /** Why, for the first few. */
  complaints: string[];
}

const MOST_COMPLAINTS = 5;

/** The members of an itinerary that the check reads, the same over HTTP and in process. */
interface CheckedItinerary {
  startTime: number;
  endTime: number;
  legs: CheckedLeg[];
}

interface CheckedLeg {
  mode: string;
  startTime: number;
  endTime: number;
  from: CheckedPlace;
  to: CheckedPlace;
}

interface CheckedPlace {
  lat: number;
  lon: number;
}

/** Judges all answers of a series. */
export function judge(form: AnswerForm, answers: readonly Answer[]): Verdicts {
  const verdicts: Verdicts = { answered: 0, withoutTrip: 0, failed: 0, infeasible: 0, complaints: [] };
  for (const answer of answers) judgeOne(form, answer, verdicts);
  return verdicts;
}

function judgeOne(form: AnswerForm, answer: Answer, verdicts: Verdicts): void {
  const value = form === 'any' ? undefined : answer.value();
  if (answer.status < 200 || answer.status >= 300 || (form !== 'any' && value === undefined)) {
    verdicts.failed++;
    complain(verdicts, answer.status === 0 ? 'no answer' : `status ${answer.status}`);
    return;
  }
  if (form !== 'plan') {
    verdicts.answered++;
    return;
  }
  const itineraries = (value as { plan?: { itineraries?: CheckedItinerary[] } }).plan?.itineraries ?? [];
  if (itineraries.length === 0) {
    verdicts.withoutTrip++;
    return;
  }
  verdicts.answered++;
  const fault = itineraries.map(faultOf).find((text) => text !== undefined);
  if (fault === undefined) return;
  verdicts.infeasible++;
  complain(verdicts, fault);
}

function complain(verdicts: Verdicts, text: string): void {
  if (verdicts.complaints.length < MOST_COMPLAINTS) verdicts.complaints.push(text);
}

/** Degrees between the end of a leg and the start of the next (about 10 m). */
const GAP = 1e-4;

/** Why an itinerary cannot be travelled: legs that overlap, run backwards in time, or do not meet. */
export function faultOf(itinerary: CheckedItinerary): string | undefined {
  const { legs } = itinerary;
  const [first, last] = [legs[0], legs[legs.length - 1]];
  if (!first || !last) return 'an itinerary without legs';
  if (first.startTime !== itinerary.startTime || last.endTime !== itinerary.endTime) {
    return 'the times of the itinerary are not those of its first and last leg';
  }
  for (const [i, leg] of legs.entries()) {
    if (leg.endTime < leg.startTime) return `leg ${i} (${leg.mode}) ends before it starts`;
    const next = legs[i + 1];
    if (!next) continue;
    if (next.startTime < leg.endTime) return `leg ${i + 1} (${next.mode}) starts before leg ${i} (${leg.mode}) ends`;
    const apart = Math.max(Math.abs(leg.to.lat - next.from.lat), Math.abs(leg.to.lon - next.from.lon));
    if (apart > GAP) return `leg ${i + 1} (${next.mode}) starts elsewhere than leg ${i} (${leg.mode}) ends`;
  }
  return undefined;
}
