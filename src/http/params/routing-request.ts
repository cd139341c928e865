/** Turns the query parameters of all routing endpoints, combined with a router's defaults, into a typed request. */

import type { PlanRequest } from '../../native/types.js';
import { BadParameter } from './bad-parameter.js';
import { requestedInstant } from './date-time.js';
import { listElements, parseBannedTrips, parseRouteSpecs, parseStopIds, parseUnderscoreId } from './entity-lists.js';
import { parseModes } from './modes.js';
import { parsePlace } from './place.js';
import type { Query } from './query.js';
import type { RouterDefaults } from './router-defaults.js';
import type { Clocks } from './zoned-time.js';

/** The context of a query. */
export interface RequestContext {
  /** The graph, which knows its time zone. */
  clocks: Clocks;
  /** The present, epoch milliseconds. */
  nowMs: number;
  /** The router's own defaults; the built-in ones are in the engine. */
  defaults: RouterDefaults;
}

/** Reads the shared parameters. Order of precedence: query, router defaults, built-in defaults. */
export function routingRequest(query: Query, context: RequestContext): PlanRequest {
  const request: PlanRequest = {
    ...context.defaults,
    from: parsePlace(query.text('fromPlace')),
    to: parsePlace(query.text('toPlace')),
    intermediatePlaces: query.all('intermediatePlaces').map(parsePlace),
    epochSeconds: requestedInstant(query.text('date'), query.text('time'), context.clocks, context.nowMs),
  };
  applyNumbers(request, query);
  applyWalkDistance(request, query);
  applyFlags(request, query);
  applyEntityLists(request, query);
  applyModes(request, query);
  applyOptimize(request, query);
  applyStart(request, query);
  const locale = query.text('locale');
  if (locale !== undefined) request.locale = languageOf(locale);
  checkSlack(request);
  return request;
}

/** How to treat a number outside the useful range. */
type Range = 'any' | 'ignored unless positive' | 'at least zero';

type NumericMember = Extract<
  { [K in keyof PlanRequest]-?: NonNullable<PlanRequest[K]> extends number ? K : never }[keyof PlanRequest],
  string
>;

/** Query parameter, member of the request, type and range. */
const NUMBERS: ReadonlyArray<[parameter: string, member: NumericMember, type: 'integer' | 'decimal', range: Range]> = [
  ['numItineraries', 'numItineraries', 'integer', 'any'],
  ['maxPreTransitTime', 'maxPreTransitTime', 'integer', 'ignored unless positive'],
  ['walkReluctance', 'walkReluctance', 'decimal', 'ignored unless positive'],
  ['waitReluctance', 'waitReluctance', 'decimal', 'ignored unless positive'],
  ['waitAtBeginningFactor', 'waitAtBeginningFactor', 'decimal', 'ignored unless positive'],
  ['walkSpeed', 'walkSpeed', 'decimal', 'any'],
  ['bikeSpeed', 'bikeSpeed', 'decimal', 'any'],
  ['bikeSwitchTime', 'bikeSwitchTime', 'integer', 'any'],
  ['bikeSwitchCost', 'bikeSwitchCost', 'integer', 'any'],
  ['minTransferTime', 'transferSlack', 'integer', 'any'],
  ['boardSlack', 'boardSlack', 'integer', 'any'],
  ['alightSlack', 'alightSlack', 'integer', 'any'],
  ['otherThanPreferredRoutesPenalty', 'otherThanPreferredRoutesPenalty', 'integer', 'at least zero'],
  ['walkBoardCost', 'walkBoardCost', 'integer', 'at least zero'],
  ['bikeBoardCost', 'bikeBoardCost', 'integer', 'at least zero'],
  ['transferPenalty', 'transferPenalty', 'integer', 'any'],
  ['nonpreferredTransferPenalty', 'nonpreferredTransferPenalty', 'integer', 'any'],
  ['maxTransfers', 'maxTransfers', 'integer', 'any'],
  ['clampInitialWait', 'clampInitialWait', 'integer', 'any'],
  ['maxHours', 'maxHours', 'decimal', 'any'],
];

function applyNumbers(request: PlanRequest, query: Query): void {
  for (const [parameter, member, type, range] of NUMBERS) {
    const value = query[type](parameter);
    if (value === undefined || (range === 'ignored unless positive' && value <= 0)) continue;
    request[member] = range === 'at least zero' ? Math.max(0, value) : value;
  }
}

/** The walking limit is ignored unless positive, but it always becomes the limit of a single transfer too. */
function applyWalkDistance(request: PlanRequest, query: Query): void {
  const metres = query.decimal('maxWalkDistance');
  if (metres === undefined) return;
  if (metres > 0) request.maxWalkDistance = metres;
  request.maxTransferWalkDistance = metres;
}

function applyFlags(request: PlanRequest, query: Query): void {
  const flag = (parameter: string, otherwise: boolean | undefined) => query.boolean(parameter) ?? otherwise;
  request.arriveBy = flag('arriveBy', request.arriveBy);
  request.wheelchair = flag('wheelchair', request.wheelchair);
  request.showIntermediateStops = flag('showIntermediateStops', request.showIntermediateStops);
  request.ignoreRealtime = flag('ignoreRealtimeUpdates', request.ignoreRealtime);
  request.disableAlertFiltering = flag('disableAlertFiltering', request.disableAlertFiltering);
  request.useRequestedTimeInMaxHours = flag('useRequestedDateTimeInMaxHours', request.useRequestedTimeInMaxHours);
  const comparator = query.text('pathComparator');
  if (comparator !== undefined) request.sortByDuration = comparator === 'duration';
}

function applyEntityLists(request: PlanRequest, query: Query): void {
  const read = <T>(parameter: string, parse: (text: string, parameter: string) => T, otherwise: T | undefined) => {
    const text = query.text(parameter);
    return text === undefined ? otherwise : parse(text, parameter);
  };
  request.preferredRoutes = read('preferredRoutes', parseRouteSpecs, request.preferredRoutes);
  request.unpreferredRoutes = read('unpreferredRoutes', parseRouteSpecs, request.unpreferredRoutes);
  request.bannedRoutes = read('bannedRoutes', parseRouteSpecs, request.bannedRoutes);
  request.whitelistedRoutes = read('whiteListedRoutes', parseRouteSpecs, request.whitelistedRoutes);
  request.preferredAgencies = read('preferredAgencies', listElements, request.preferredAgencies);
  request.unpreferredAgencies = read('unpreferredAgencies', listElements, request.unpreferredAgencies);
  request.bannedAgencies = read('bannedAgencies', listElements, request.bannedAgencies);
  request.whitelistedAgencies = read('whiteListedAgencies', listElements, request.whitelistedAgencies);
  request.bannedTrips = read('bannedTrips', parseBannedTrips, request.bannedTrips);
  request.bannedStops = read('bannedStops', parseStopIds, request.bannedStops);
  request.bannedStopsHard = read('bannedStopsHard', parseStopIds, request.bannedStopsHard);
}

/** Speed of a rented bike, unless the request says otherwise. */
const RENTAL_BIKE_SPEED = 4.3;

function applyModes(request: PlanRequest, query: Query): void {
  const mode = query.text('mode');
  if (mode !== undefined) Object.assign(request, parseModes(mode));
  if (request.bikeRental && query.text('bikeSpeed') === undefined) request.bikeSpeed = RENTAL_BIKE_SPEED;
}

const OPTIMIZE = ['QUICK', 'SAFE', 'FLAT', 'GREENWAYS', 'TRIANGLE', 'TRANSFERS'] as const satisfies ReadonlyArray<
  PlanRequest['optimize']
>;

/** Added to the penalty of each transfer by `optimize=TRANSFERS`. */
const FEWEST_TRANSFERS_PENALTY = 1800;

function applyOptimize(request: PlanRequest, query: Query): void {
  request.optimize = query.oneOf('optimize', OPTIMIZE) ?? request.optimize;
  const factors = {
    triangleSafety: query.decimal('triangleSafetyFactor'),
    triangleSlope: query.decimal('triangleSlopeFactor'),
    triangleTime: query.decimal('triangleTimeFactor'),
  };
  if (request.optimize === 'TRANSFERS') {
    request.optimize = 'QUICK';
    request.transferPenalty = (request.transferPenalty ?? 0) + FEWEST_TRANSFERS_PENALTY;
  } else if (query.text('optimize') === 'TRIANGLE') {
    Object.assign(request, checkedTriangle(factors));
  }
}

/** Tolerance for the sum of the triangle factors. */
const TRIANGLE_TOLERANCE = 3.6e-7;

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
  const stop = query.text('startTransitStopId');
  if (stop !== undefined) request.startTransitStop = parseUnderscoreId(stop, 'startTransitStopId');
  const trip = query.text('startTransitTripId');
  if (trip === undefined || request.arriveBy) return;
  request.startTransitTrip = parseUnderscoreId(trip, 'startTransitTripId');
}

/** The language of a locale such as `pt_BR`; one to three parts, anything longer is English. */
export function languageOf(locale: string): string {
  const parts = locale.split('_');
  return parts.length <= 3 && /^[A-Za-z]{1,8}$/.test(parts[0] ?? '') ? (parts[0] ?? 'en').toLowerCase() : 'en';
}

function checkSlack({ boardSlack = 0, alightSlack = 0, transferSlack = 0 }: PlanRequest): void {
  if (boardSlack + alightSlack <= transferSlack) return;
  throw new BadParameter(
    'minTransferTime',
    'transfer slack must be greater than or equal to board slack plus alight slack',
  );
}
