/** The members of a request that parameters set. A router's defaults of the same names set them too. */

import type { PlanRequest } from '../../native/types.js';
import { parseBannedTrips } from './banned-trips.js';
import type { PLAN } from './descriptions.js';
import { listElements, parseRouteSpecs, parseStopIds, parseUnderscoreId } from './entity-lists.js';

/** The treatment of a number of a query outside the useful range. */
type Range = 'ignored unless positive' | 'at least zero';

export interface RequestMember {
  readonly member: keyof PlanRequest;
  /** Makes the value of the member from that of the parameter, if it is another one. */
  readonly read?: (value: string, parameter: string) => unknown;
  readonly range?: Range;
}

function to<M extends keyof PlanRequest>(
  member: M,
  read?: (value: string, parameter: string) => PlanRequest[M],
): RequestMember {
  return { member, ...(read && { read }) };
}

const inRange = (member: keyof PlanRequest, range: Range): RequestMember => ({ member, range });

/** By the name of the parameter. */
export const REQUEST_MEMBERS: Readonly<Partial<Record<keyof typeof PLAN, RequestMember>>> = {
  arriveBy: to('arriveBy'),
  wheelchair: to('wheelchair'),
  numItineraries: to('numItineraries'),
  maxPreTransitTime: inRange('maxPreTransitTime', 'ignored unless positive'),
  walkReluctance: inRange('walkReluctance', 'ignored unless positive'),
  waitReluctance: inRange('waitReluctance', 'ignored unless positive'),
  waitAtBeginningFactor: inRange('waitAtBeginningFactor', 'ignored unless positive'),
  walkSpeed: to('walkSpeed'),
  bikeSpeed: to('bikeSpeed'),
  bikeSwitchTime: to('bikeSwitchTime'),
  bikeSwitchCost: to('bikeSwitchCost'),
  minTransferTime: to('transferSlack'),
  boardSlack: to('boardSlack'),
  alightSlack: to('alightSlack'),
  otherThanPreferredRoutesPenalty: inRange('otherThanPreferredRoutesPenalty', 'at least zero'),
  walkBoardCost: inRange('walkBoardCost', 'at least zero'),
  bikeBoardCost: inRange('bikeBoardCost', 'at least zero'),
  transferPenalty: to('transferPenalty'),
  nonpreferredTransferPenalty: to('nonpreferredTransferPenalty'),
  maxTransfers: to('maxTransfers'),
  clampInitialWait: to('clampInitialWait'),
  maxHours: to('maxDuration', (hours) => Number(hours) * 3600),
  useRequestedDateTimeInMaxHours: to('maxDurationFromRequestedTime'),
  pathComparator: to('sortByDuration', (comparator) => comparator === 'duration'),
  showIntermediateStops: to('showIntermediateStops'),
  ignoreRealtimeUpdates: to('ignoreRealtime'),
  disableAlertFiltering: to('disableAlertFiltering'),
  preferredRoutes: to('preferredRoutes', parseRouteSpecs),
  unpreferredRoutes: to('unpreferredRoutes', parseRouteSpecs),
  bannedRoutes: to('bannedRoutes', parseRouteSpecs),
  whiteListedRoutes: to('whitelistedRoutes', parseRouteSpecs),
  preferredAgencies: to('preferredAgencies', listElements),
  unpreferredAgencies: to('unpreferredAgencies', listElements),
  bannedAgencies: to('bannedAgencies', listElements),
  whiteListedAgencies: to('whitelistedAgencies', listElements),
  bannedTrips: to('bannedTrips', parseBannedTrips),
  bannedStops: to('bannedStops', parseStopIds),
  bannedStopsHard: to('bannedStopsHard', parseStopIds),
  startTransitStopId: to('startTransitStop', parseUnderscoreId),
};
