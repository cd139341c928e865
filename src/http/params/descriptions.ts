/**
 * The shared routing parameters: their descriptions, schemas, and what they set in a request. Requests are read by them,
 * and the description of the interface lists them.
 */

import { OPTIMIZATIONS } from '../../native/modes.js';
import { parseBannedTrips } from './banned-trips.js';
import { listElements, parseRouteSpecs, parseStopIds, parseUnderscoreId } from './entity-lists.js';
import { parameter, parameters } from './parameter-schema.js';
import { atLeastZero, ifPositive, type RequestMember, to } from './request-members.js';

const text = (description: string, sets?: RequestMember) => parameter.text(description, { sets });
const flag = (description: string, sets?: RequestMember) => parameter.boolean(description, { default: false, sets });
const whole = (byDefault: number, description: string, sets?: RequestMember) =>
  parameter.integer(description, { default: byDefault, sets });
const number = (byDefault: number, description: string, sets?: RequestMember) =>
  parameter.decimal(description, { default: byDefault, sets });

/** The router of a search whose path has none. */
export const ROUTER = parameters({
  routerId: text('Router to search; the default one when absent'),
});

/** The scenario of a search. */
export const SCENARIO = parameters({
  scenario: text('Id of a scenario of the router: its schedule is searched'),
});

/** Parameters of every routing endpoint. An absent one has the router's default, or else the default named here. */
export const ROUTING = {
  ...parameters({
    fromPlace: text('Start: `[name::]lat,lon` or the label of a vertex such as `feed:stop`'),
    toPlace: text('Destination, in the form of `fromPlace`'),
    date: text('Date of travel, for example `2019-05-13`, `05-13-2019` or `20190513`; today when absent'),
    time: text('Time of travel, for example `17:05` or `5:05pm`; without `date` also an ISO 8601 date and time'),
    arriveBy: flag('Arrive by the date and time, instead of departing then', to('arriveBy')),
    mode: parameter.text(
      'Comma list of modes with qualifiers, for example `TRANSIT,WALK`, `BICYCLE_RENT`, `CAR_PARK,WALK,TRANSIT`',
      { default: 'TRANSIT,WALK' },
    ),
    optimize: parameter.choice(OPTIMIZATIONS, 'What a cyclist optimizes for; `TRANSFERS` avoids changes', {
      default: 'QUICK',
    }),
    triangleSafetyFactor: number(0, 'Weight of safety with `optimize=TRIANGLE`; the three factors sum to 1'),
    triangleSlopeFactor: number(0, 'Weight of flatness with `optimize=TRIANGLE`'),
    triangleTimeFactor: number(0, 'Weight of time with `optimize=TRIANGLE`'),
    wheelchair: flag('Only streets, stops and trips that a wheelchair can use', to('wheelchair')),
    numItineraries: whole(3, 'Largest number of itineraries', to('numItineraries')),
    maxWalkDistance: parameter.decimal(
      'Longest distance walked or cycled, metres. When absent: 2000 in plans by transit and in matrices, else no limit. ' +
        'Plans by transit allow 15000 at most; surfaces and simple isochrones have no limit',
    ),
    maxPreTransitTime: whole(
      1800,
      'Longest drive before transit, seconds. In isochrones, longer ones cost extra; surfaces and windows have no limit',
      ifPositive('maxPreTransitTime'),
    ),
    walkReluctance: number(2, 'Cost of a second of walking', ifPositive('walkReluctance')),
    waitReluctance: number(1, 'Cost of a second of waiting between vehicles', ifPositive('waitReluctance')),
    waitAtBeginningFactor: number(
      0.4,
      'Cost of a second of waiting for the first vehicle',
      ifPositive('waitAtBeginningFactor'),
    ),
    walkSpeed: number(1.33, 'Metres per second', to('walkSpeed')),
    bikeSpeed: number(5, 'Metres per second; 4.3 for rented bikes', to('bikeSpeed')),
    bikeSwitchTime: whole(0, 'Seconds for changing between walking and cycling', to('bikeSwitchTime')),
    bikeSwitchCost: whole(0, 'Cost of that change', to('bikeSwitchCost')),
    minTransferTime: whole(
      0,
      'Seconds between leaving one vehicle and boarding the next; at least the sum of `boardSlack` and `alightSlack`',
      to('transferSlack'),
    ),
    boardSlack: whole(0, 'Seconds kept free before the first boarding', to('boardSlack')),
    alightSlack: whole(0, 'Seconds kept free after alighting', to('alightSlack')),
    preferredRoutes: text(
      'Other routes cost extra; a comma list of `feed__routeId`, `feed_routeName` or `_routeName`',
      to('preferredRoutes', parseRouteSpecs),
    ),
    unpreferredRoutes: text('Routes that cost extra', to('unpreferredRoutes', parseRouteSpecs)),
    bannedRoutes: text('Routes that are not used', to('bannedRoutes', parseRouteSpecs)),
    whiteListedRoutes: text(
      'When set, only these routes (or the white-listed agencies) are used',
      to('whitelistedRoutes', parseRouteSpecs),
    ),
    preferredAgencies: text('Other agencies cost extra; a comma list of ids', to('preferredAgencies', listElements)),
    unpreferredAgencies: text('Agencies that cost extra', to('unpreferredAgencies', listElements)),
    bannedAgencies: text('Agencies that are not used', to('bannedAgencies', listElements)),
    whiteListedAgencies: text(
      'When set, only these agencies (or the white-listed routes) are used',
      to('whitelistedAgencies', listElements),
    ),
    bannedTrips: text(
      'Comma list of `feed:trip` or `feed:trip:position:position…`',
      to('bannedTrips', parseBannedTrips),
    ),
    bannedStops: text(
      'Comma list of `feed:stop` where boarding and alighting are not allowed',
      to('bannedStops', parseStopIds),
    ),
    bannedStopsHard: text(
      'Comma list of `feed:stop` that vehicles may not even pass',
      to('bannedStopsHard', parseStopIds),
    ),
    otherThanPreferredRoutesPenalty: whole(
      300,
      'Cost of boarding a route that is not preferred, if any routes or agencies are preferred',
      atLeastZero('otherThanPreferredRoutesPenalty'),
    ),
    walkBoardCost: whole(600, 'Cost of each boarding on foot', atLeastZero('walkBoardCost')),
    bikeBoardCost: whole(600, 'Cost of each boarding with a bike', atLeastZero('bikeBoardCost')),
    transferPenalty: whole(0, 'Cost of each boarding after the first', to('transferPenalty')),
    nonpreferredTransferPenalty: whole(
      180,
      'Cost of a transfer that the feed does not recommend',
      to('nonpreferredTransferPenalty'),
    ),
    maxTransfers: whole(
      2,
      'Most transfers in isochrones and time grids; other searches ignore it. Plans have at most 4, or at most 8 if no trip ' +
        'has that few',
      to('maxTransfers'),
    ),
    startTransitStopId: text(
      '`feed_stop`, a stop or station: plans board their first vehicle there',
      to('startTransitStop', parseUnderscoreId),
    ),
    startTransitTripId: text(
      '`feed_trip` of the vehicle that the traveller is in. Without `fromPlace` the trip begins where the vehicle is then',
    ),
    clampInitialWait: whole(
      -1,
      'Isochrones, time grids, surfaces: up to this many seconds of the first wait are left out; if negative, all of them',
      to('clampInitialWait'),
    ),
    locale: parameter.text('Language of names and notes', { default: 'en' }),
    ignoreRealtimeUpdates: flag('Use the schedule only', to('ignoreRealtime')),
    pathComparator: text(
      '`duration` sorts itineraries by duration',
      to('sortByDuration', (comparator) => comparator === 'duration'),
    ),
    maxHours: parameter.decimal('Hours; itineraries that take as long or longer are dropped', {
      sets: to('maxDuration', (hours) => Number(hours) * 3600),
    }),
    useRequestedDateTimeInMaxHours: flag(
      'Measure `maxHours` from the requested time',
      to('maxDurationFromRequestedTime'),
    ),
    disableAlertFiltering: flag('Show alerts outside their periods too', to('disableAlertFiltering')),
    geoidElevation: flag('Repeated in the answer; elevations are those of the raster in any case'),
  }),
  ...SCENARIO,
};

/** Parameters of `plan`. */
export const PLAN = {
  ...ROUTING,
  ...parameters({
    intermediatePlaces: parameter.text('Place to pass, in order; left out if the traveller is already there', {
      repeatable: true,
    }),
    showIntermediateStops: flag('List the stops that transit legs pass', to('showIntermediateStops')),
  }),
};
