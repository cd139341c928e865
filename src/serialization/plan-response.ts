/** The answer to a plan request, as the interface writes it. */

import type { Fare, FareDetail, Itinerary, Plan, PlanOutcome, PlanTimings } from '../native/types.js';
import type * as answers from './answers/index.js';
import { EntityId } from './entity-id.js';
import { presentLeg, presentPlace } from './leg.js';
import { milliseconds } from './milliseconds.js';
import { money } from './money.js';
import { hasDebugOutput, presentPlanError, type SentPlanError } from './plan-error.js';
import type { Written } from './written.js';

/** The outcome of a search, or the reason why there was none. */
export type PlanAnswer =
  | PlanOutcome
  | { error: { code: SentPlanError; reason: string; missing: readonly string[] }; timings?: undefined };

/** The request's parameters, which the answer repeats. */
interface PlanEcho {
  /** Every query parameter, first value only. */
  parameters: Readonly<Record<string, string>>;
  geoidElevation: boolean;
}

/** Name of the root element in XML. */
export const PLAN_ROOT = 'Response';

/** The whole answer; exactly one of `plan` and `error` is set. */
export function presentPlanAnswer(echo: PlanEcho, answer: PlanAnswer): Written<answers.PlanAnswer> {
  const requestParameters = echo.parameters;
  if (answer.error) {
    const { code } = answer.error;
    const debugOutput = hasDebugOutput(code) ? presentTimings(answer.timings ?? NO_TIME) : undefined;
    return { requestParameters, plan: undefined, error: presentPlanError(answer.error), debugOutput };
  }
  const { plan, timings } = answer as PlanOutcome & { plan: Plan };
  return {
    requestParameters,
    plan: presentPlan(plan),
    error: undefined,
    debugOutput: presentTimings(timings),
    elevationMetadata: { ellipsoidToGeoidDifference: 0, geoidElevation: echo.geoidElevation },
  };
}

function presentPlan(plan: Plan): Written<answers.Plan> {
  return {
    date: milliseconds(plan.date),
    from: presentPlace(plan.from),
    to: presentPlace(plan.to),
    itineraries: plan.itineraries.map(presentItinerary),
  };
}

function presentItinerary(itinerary: Itinerary): Written<answers.Itinerary> {
  return {
    duration: Math.round(itinerary.endTime - itinerary.startTime),
    startTime: milliseconds(itinerary.startTime),
    endTime: milliseconds(itinerary.endTime),
    walkTime: itinerary.walkTime,
    transitTime: itinerary.transitTime,
    waitingTime: itinerary.waitingTime,
    walkDistance: itinerary.walkDistance,
    walkLimitExceeded: itinerary.walkLimitExceeded,
    elevationLost: itinerary.elevationLost,
    elevationGained: itinerary.elevationGained,
    transfers: itinerary.transfers,
    fare: itinerary.fare.length > 0 ? presentFare(itinerary.fare) : undefined,
    legs: itinerary.legs.map(presentLeg),
    tooSloped: itinerary.tooSloped,
  };
}

function presentFare(prices: readonly Fare[]): Written<answers.Fare> {
  const detailed = prices.filter(({ details }) => details.length > 0);
  return {
    fare: Object.fromEntries(prices.map((p) => [p.fareType, money(p, p.cents)])),
    details: Object.fromEntries(detailed.map((p) => [p.fareType, p.details.map((d) => presentDetail(p, d))])),
  };
}

function presentDetail(price: Fare, { fareId, cents, routes }: FareDetail): Written<answers.FareDetail> {
  return {
    fareId: EntityId.parse(fareId),
    price: money(price, cents),
    routes: routes.map((id) => EntityId.parse(id)),
  };
}

const NO_TIME: PlanTimings = { precalculation: 0, pathCalculation: 0, paths: [], rendering: 0, timedOut: false };

function presentTimings(timings: PlanTimings): Written<answers.DebugOutput> {
  return {
    precalculationTime: milliseconds(timings.precalculation),
    pathCalculationTime: milliseconds(timings.pathCalculation),
    pathTimes: timings.paths.map((seconds) => milliseconds(seconds)),
    renderingTime: milliseconds(timings.rendering),
    totalTime: milliseconds(timings.precalculation + timings.pathCalculation + timings.rendering),
    timedOut: timings.timedOut,
  };
}
