/** Turns the query parameters of all routing endpoints, combined with a router's defaults, into a typed request. */

import type { RouterConfig } from '../../config/router-config.js';
import { TRIANGLE_TOLERANCE } from '../../native/number-limits.js';
import type { PlanRequest } from '../../native/types.js';
import type { Clocks } from '../../zoned-time.js';
import { BadParameter } from './bad-parameter.js';
import { type KnownTrips, withWholeIds } from './banned-trips.js';
import { requestedInstant } from './date-time.js';
import { PLAN } from './descriptions.js';
import { parseUnderscoreId } from './entity-lists.js';
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
    epochSeconds: requestedInstant(query.given(PLAN.date), query.given(PLAN.time), {
      clocks: context.clocks,
      nowMs: context.nowMs,
      arriveBy: query.given(PLAN.arriveBy) ?? context.defaults.arriveBy,
    }),
  };
  applyMembers(request, query);
  applyWalkDistance(request, query);
  applyModes(request, query);
  applyOptimize(request, query);
  applyStartInVehicle(request, query);
  const locale = query.given(PLAN.locale);
  if (locale !== undefined) request.locale = languageOf(locale);
  checkSlack(request);
  return request;
}

/** Sets the members whose values depend on one parameter alone. */
function applyMembers(request: PlanRequest, query: Query): void {
  const found: Record<string, unknown> = {};
  for (const parameter of Object.values<Parameter<unknown>>(PLAN)) {
    if (parameter.sets === undefined) continue;
    const { member, read, range } = parameter.sets;
    const value = query.given(parameter);
    if (value === undefined || (range === 'ignored unless positive' && Number(value) <= 0)) continue;
    const inRange = range === 'at least zero' ? Math.max(0, Number(value)) : value;
    found[member] = read === undefined ? inRange : read(String(value), parameter.name);
  }
  Object.assign(request, found);
}

/** The walking limit is ignored unless positive, but always becomes the limit of a single transfer too. */
function applyWalkDistance(request: PlanRequest, query: Query): void {
  const metres = query.given(PLAN.maxWalkDistance);
  if (metres === undefined) return;
  if (metres > 0) request.maxWalkDistance = metres;
  request.maxTransferWalkDistance = metres;
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

/** Starting inside a vehicle, which is only possible when departing. */
function applyStartInVehicle(request: PlanRequest, query: Query): void {
  const trip = query.given(PLAN.startTransitTripId);
  if (trip === undefined || request.arriveBy) return;
  request.startTransitTrip = parseUnderscoreId(trip, 'startTransitTripId');
}

/** The language of a locale such as `pt_BR` or, as browsers write it, `pt-BR`; more than three parts are English. */
function languageOf(locale: string): string {
  const parts = locale.split('_');
  const [language = ''] = (parts[0] ?? '').split('-');
  return parts.length <= 3 && /^[A-Za-z]{1,8}$/.test(language) ? language.toLowerCase() : 'en';
}

function checkSlack({ boardSlack = 0, alightSlack = 0, transferSlack = 0 }: PlanRequest): void {
  if (boardSlack + alightSlack <= transferSlack) return;
  throw new BadParameter('minTransferTime', 'must be at least the sum of boardSlack and alightSlack');
}
