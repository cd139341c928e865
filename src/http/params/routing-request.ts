/** Turns the query parameters of all routing endpoints, combined with a router's defaults, into a typed request. */

import type { RouterConfig } from '../../config/router-config.js';
import { TRIANGLE_TOLERANCE } from '../../native/number-limits.js';
import type { PlanRequest } from '../../native/types.js';
import type { Clocks } from '../../zoned-time.js';
import { BadParameter } from './bad-parameter.js';
import { type KnownTrips, parseBannedTrips, withWholeIds } from './banned-trips.js';
import { requestedInstant } from './date-time.js';
import { PLAN } from './descriptions.js';
import { listElements, parseRouteSpecs, parseStopIds, parseUnderscoreId } from './entity-lists.js';
import { parseModes } from './modes.js';
import type { Parameter } from './parameter-schema.js';
import { parsePlace } from './place.js';
import type { Query } from './query.js';
import { type RouterDefaults, routerDefaults } from './router-defaults.js';

/** The context of a query. */
interface RequestContext {
  /** The graph, which knows its time zone. */
  clocks: Clocks;
  /** The present, epoch milliseconds. */
  nowMs: number;
  /** The router's own defaults; the built-in ones are in the engine. */
  defaults: RouterDefaults;
}

/** The request of a query that arrives now at a router, which has a graph and a configuration. */
export function requestNow(query: Query, graph: Clocks & KnownTrips, config: RouterConfig): PlanRequest {
  const request = routingRequest(query, { clocks: graph, nowMs: Date.now(), defaults: routerDefaults(config) });
  const { bannedTrips } = request;
  return bannedTrips === undefined ? request : { ...request, bannedTrips: withWholeIds(bannedTrips, graph) };
}

/** Reads the shared parameters. Order of precedence: query, router defaults, built-in defaults. */
export function routingRequest(query: Query, context: RequestContext): PlanRequest {
  const request: PlanRequest = {
    ...context.defaults,
    from: parsePlace(query.given(PLAN.fromPlace)),
    to: parsePlace(query.given(PLAN.toPlace)),
    intermediatePlaces: query.all(PLAN.intermediatePlaces).map(parsePlace),
    epochSeconds: requestedInstant(query.given(PLAN.date), query.given(PLAN.time), context.clocks, context.nowMs),
  };
  applyNumbers(request, query);
  applyWalkDistance(request, query);
  const hours = query.given(PLAN.maxHours);
  if (hours !== undefined) request.maxDuration = hours * 3600;
  applyFlags(request, query);
  applyEntityLists(request, query);
  applyModes(request, query);
  applyOptimize(request, query);
  applyStart(request, query);
  const locale = query.given(PLAN.locale);
  if (locale !== undefined) request.locale = languageOf(locale);
  checkSlack(request);
  return request;
}

/** The treatment of a number outside the useful range. */
type Range = 'any' | 'ignored unless positive' | 'at least zero';

type NumericMember = Extract<
  { [K in keyof PlanRequest]-?: NonNullable<PlanRequest[K]> extends number ? K : never }[keyof PlanRequest],
  string
>;

/** Parameter, member of the request, and range. */
const NUMBERS: ReadonlyArray<
  [parameter: Parameter<number | undefined> | Parameter<number>, member: NumericMember, range: Range]
> = [
  [PLAN.numItineraries, 'numItineraries', 'any'],
  [PLAN.maxPreTransitTime, 'maxPreTransitTime', 'ignored unless positive'],
  [PLAN.walkReluctance, 'walkReluctance', 'ignored unless positive'],
  [PLAN.waitReluctance, 'waitReluctance', 'ignored unless positive'],
  [PLAN.waitAtBeginningFactor, 'waitAtBeginningFactor', 'ignored unless positive'],
  [PLAN.walkSpeed, 'walkSpeed', 'any'],
  [PLAN.bikeSpeed, 'bikeSpeed', 'any'],
  [PLAN.bikeSwitchTime, 'bikeSwitchTime', 'any'],
  [PLAN.bikeSwitchCost, 'bikeSwitchCost', 'any'],
  [PLAN.minTransferTime, 'transferSlack', 'any'],
  [PLAN.boardSlack, 'boardSlack', 'any'],
  [PLAN.alightSlack, 'alightSlack', 'any'],
  [PLAN.otherThanPreferredRoutesPenalty, 'otherThanPreferredRoutesPenalty', 'at least zero'],
  [PLAN.walkBoardCost, 'walkBoardCost', 'at least zero'],
  [PLAN.bikeBoardCost, 'bikeBoardCost', 'at least zero'],
  [PLAN.transferPenalty, 'transferPenalty', 'any'],
  [PLAN.nonpreferredTransferPenalty, 'nonpreferredTransferPenalty', 'any'],
  [PLAN.maxTransfers, 'maxTransfers', 'any'],
  [PLAN.clampInitialWait, 'clampInitialWait', 'any'],
];

function applyNumbers(request: PlanRequest, query: Query): void {
  for (const [parameter, member, range] of NUMBERS) {
    const value = query.given(parameter);
    if (value === undefined || (range === 'ignored unless positive' && value <= 0)) continue;
    request[member] = range === 'at least zero' ? Math.max(0, value) : value;
  }
}

/** The walking limit is ignored unless positive, but always becomes the limit of a single transfer too. */
function applyWalkDistance(request: PlanRequest, query: Query): void {
  const metres = query.given(PLAN.maxWalkDistance);
  if (metres === undefined) return;
  if (metres > 0) request.maxWalkDistance = metres;
  request.maxTransferWalkDistance = metres;
}

function applyFlags(request: PlanRequest, query: Query): void {
  const flag = (parameter: Parameter<boolean>, otherwise: boolean | undefined) => query.given(parameter) ?? otherwise;
  request.arriveBy = flag(PLAN.arriveBy, request.arriveBy);
  request.wheelchair = flag(PLAN.wheelchair, request.wheelchair);
  request.showIntermediateStops = flag(PLAN.showIntermediateStops, request.showIntermediateStops);
  request.ignoreRealtime = flag(PLAN.ignoreRealtimeUpdates, request.ignoreRealtime);
  request.disableAlertFiltering = flag(PLAN.disableAlertFiltering, request.disableAlertFiltering);
  request.maxDurationFromRequestedTime = flag(
    PLAN.useRequestedDateTimeInMaxHours,
    request.maxDurationFromRequestedTime,
  );
  const comparator = query.given(PLAN.pathComparator);
  if (comparator !== undefined) request.sortByDuration = comparator === 'duration';
}

function applyEntityLists(request: PlanRequest, query: Query): void {
  const read = <T>(
    parameter: Parameter<string | undefined>,
    parse: (text: string, parameter: string) => T,
    otherwise: T | undefined,
  ) => {
    const text = query.given(parameter);
    return text === undefined ? otherwise : parse(text, parameter.name);
  };
  request.preferredRoutes = read(PLAN.preferredRoutes, parseRouteSpecs, request.preferredRoutes);
  request.unpreferredRoutes = read(PLAN.unpreferredRoutes, parseRouteSpecs, request.unpreferredRoutes);
  request.bannedRoutes = read(PLAN.bannedRoutes, parseRouteSpecs, request.bannedRoutes);
  request.whitelistedRoutes = read(PLAN.whiteListedRoutes, parseRouteSpecs, request.whitelistedRoutes);
  request.preferredAgencies = read(PLAN.preferredAgencies, listElements, request.preferredAgencies);
  request.unpreferredAgencies = read(PLAN.unpreferredAgencies, listElements, request.unpreferredAgencies);
  request.bannedAgencies = read(PLAN.bannedAgencies, listElements, request.bannedAgencies);
  request.whitelistedAgencies = read(PLAN.whiteListedAgencies, listElements, request.whitelistedAgencies);
  request.bannedTrips = read(PLAN.bannedTrips, parseBannedTrips, request.bannedTrips);
  request.bannedStops = read(PLAN.bannedStops, parseStopIds, request.bannedStops);
  request.bannedStopsHard = read(PLAN.bannedStopsHard, parseStopIds, request.bannedStopsHard);
}

/** Speed of a rented bike, unless the request says otherwise. */
const RENTAL_BIKE_SPEED = 4.3;

function applyModes(request: PlanRequest, query: Query): void {
  const mode = query.given(PLAN.mode);
  if (mode !== undefined) Object.assign(request, parseModes(mode));
  if (request.bikeRental && query.given(PLAN.bikeSpeed) === undefined) request.bikeSpeed = RENTAL_BIKE_SPEED;
}

function applyOptimize(request: PlanRequest, query: Query): void {
  // Factors have to be numbers even where they are not used.
  const factors = {
    triangleSafety: query.given(PLAN.triangleSafetyFactor),
    triangleSlope: query.given(PLAN.triangleSlopeFactor),
    triangleTime: query.given(PLAN.triangleTimeFactor),
  };
  const optimize = query.given(PLAN.optimize);
  if (optimize !== undefined) request.optimize = optimize;
  if (optimize === 'TRIANGLE') Object.assign(request, checkedTriangle(factors));
}

function checkedTriangle<T extends Record<string, number | undefined>>(factors: T): T {
  const given = Object.values(factors).filter((factor) => factor !== undefined);
  if (given.length < 3) {
    throw new BadParameter('optimize', 'TRIANGLE needs all three factors', 'UNDERSPECIFIED_TRIANGLE');
  }
  const sum = given.reduce((total, factor) => total + factor, 0);
  if (Math.abs(sum - 1) > TRIANGLE_TOLERANCE || given.some((factor) => factor < 0)) {
    throw new BadParameter('optimize', 'the triangle factors must sum to 1', 'TRIANGLE_NOT_AFFINE');
  }
  return factors;
}

/** Boarding at a given stop, or starting inside a vehicle (only when departing). */
function applyStart(request: PlanRequest, query: Query): void {
  const stop = query.given(PLAN.startTransitStopId);
  if (stop !== undefined) request.startTransitStop = parseUnderscoreId(stop, 'startTransitStopId');
  const trip = query.given(PLAN.startTransitTripId);
  if (trip === undefined || request.arriveBy) return;
  request.startTransitTrip = parseUnderscoreId(trip, 'startTransitTripId');
}

/** The language of a locale such as `pt_BR`; one to three parts, anything longer is English. */
function languageOf(locale: string): string {
  const parts = locale.split('_');
  return parts.length <= 3 && /^[A-Za-z]{1,8}$/.test(parts[0] ?? '') ? (parts[0] ?? 'en').toLowerCase() : 'en';
}

function checkSlack({ boardSlack = 0, alightSlack = 0, transferSlack = 0 }: PlanRequest): void {
  if (boardSlack + alightSlack <= transferSlack) return;
  throw new BadParameter('minTransferTime', 'must be at least the sum of boardSlack and alightSlack');
}
