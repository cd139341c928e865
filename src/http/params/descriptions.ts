/**
 * The shared routing parameters, with descriptions and schemas. Requests are read by them, and the description of the
 * interface lists them.
 */

import { parameter, parameters } from './parameter-schema.js';

const { text } = parameter;
const flag = (description: string) => parameter.boolean(description, { default: false });
const whole = (byDefault: number, description: string) => parameter.integer(description, { default: byDefault });
const number = (byDefault: number, description: string) => parameter.decimal(description, { default: byDefault });

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
    time: text('Time of travel, for example `17:05`, `5:05pm`, or, without `date`, an ISO 8601 date and time'),
    arriveBy: flag('Date and time are the latest arrival'),
    mode: text(
      'Comma list of modes with qualifiers, for example `TRANSIT,WALK`, `BICYCLE_RENT`, `CAR_PARK,WALK,TRANSIT`',
      { default: 'TRANSIT,WALK' },
    ),
    optimize: parameter.choice(
      ['QUICK', 'SAFE', 'FLAT', 'GREENWAYS', 'TRIANGLE', 'TRANSFERS'],
      'What a cyclist optimizes for; `TRANSFERS` avoids changes',
      { default: 'QUICK' },
    ),
    triangleSafetyFactor: number(0, 'Weight of safety with `optimize=TRIANGLE`; the three factors sum to 1'),
    triangleSlopeFactor: number(0, 'Weight of flatness with `optimize=TRIANGLE`'),
    triangleTimeFactor: number(0, 'Weight of time with `optimize=TRIANGLE`'),
    wheelchair: flag('Only streets, stops and trips that a wheelchair can use'),
    numItineraries: whole(3, 'Largest number of itineraries'),
    maxWalkDistance: parameter.decimal(
      'Longest distance walked or cycled, metres. When absent: 2000 in plans and matrices, else no limit. Plans allow ' +
        '15000 at most; surfaces and simple isochrones have no limit',
    ),
    maxPreTransitTime: whole(1800, 'Longest drive before transit, seconds'),
    walkReluctance: number(2, 'Cost of a second of walking'),
    waitReluctance: number(1, 'Cost of a second of waiting between vehicles'),
    waitAtBeginningFactor: number(0.4, 'Cost of a second of waiting for the first vehicle'),
    walkSpeed: number(1.33, 'Metres per second'),
    bikeSpeed: number(5, 'Metres per second; 4.3 for rented bikes'),
    bikeSwitchTime: whole(0, 'Seconds for changing between walking and cycling'),
    bikeSwitchCost: whole(0, 'Cost of that change'),
    minTransferTime: whole(
      0,
      'Seconds between leaving one vehicle and boarding the next; at least the sum of `boardSlack` and `alightSlack`',
    ),
    boardSlack: whole(0, 'Seconds kept free before the first boarding'),
    alightSlack: whole(0, 'Seconds kept free after alighting'),
    preferredRoutes: text('Other routes cost extra; a comma list of `feed__routeId`, `feed_routeName` or `_routeName`'),
    unpreferredRoutes: text('Routes that cost extra'),
    bannedRoutes: text('Routes that are not used'),
    whiteListedRoutes: text('When set, only these routes (or the white-listed agencies) are used'),
    preferredAgencies: text('Other agencies cost extra; a comma list of ids'),
    unpreferredAgencies: text('Agencies that cost extra'),
    bannedAgencies: text('Agencies that are not used'),
    whiteListedAgencies: text('When set, only these agencies (or the white-listed routes) are used'),
    bannedTrips: text('Comma list of `feed:trip` or `feed:trip:position:position…`'),
    bannedStops: text('Comma list of `feed:stop` where boarding and alighting are not allowed'),
    bannedStopsHard: text('Comma list of `feed:stop` that vehicles may not even pass'),
    otherThanPreferredRoutesPenalty: whole(
      300,
      'Cost of boarding a route that is not preferred, if any routes or agencies are preferred',
    ),
    walkBoardCost: whole(600, 'Cost of each boarding on foot'),
    bikeBoardCost: whole(600, 'Cost of each boarding with a bike'),
    transferPenalty: whole(0, 'Cost of each boarding after the first'),
    nonpreferredTransferPenalty: whole(180, 'Cost of a transfer that the feed does not recommend'),
    maxTransfers: whole(
      2,
      'Most transfers of isochrones and time grids; other searches ignore it. Plans have at most 4, or 8 where no trip ' +
        'has so few',
    ),
    startTransitStopId: text('`feed_stop`, a stop or station: plans board their first vehicle there'),
    startTransitTripId: text(
      '`feed_trip` of the vehicle the traveller is in; without `fromPlace`, where it is at that time',
    ),
    clampInitialWait: whole(
      -1,
      'Isochrones, time grids, surfaces: up to this many seconds of the first wait are left out; if negative, all of them',
    ),
    locale: text('Language of names and notes', { default: 'en' }),
    ignoreRealtimeUpdates: flag('Use the schedule only'),
    pathComparator: text('`duration` sorts itineraries by duration'),
    maxHours: parameter.decimal('Hours; itineraries that take as long or longer are dropped'),
    useRequestedDateTimeInMaxHours: flag('Measure `maxHours` from the requested time'),
    disableAlertFiltering: flag('Show alerts outside their periods too'),
    geoidElevation: flag('Repeated in the answer; elevations are those of the raster in any case'),
  }),
  ...SCENARIO,
};

/** Parameters of `plan`. */
export const PLAN = {
  ...ROUTING,
  ...parameters({
    intermediatePlaces: text('Place to pass, in order; left out if the traveller is already there', {
      repeatable: true,
    }),
    showIntermediateStops: flag('List the stops that transit legs pass'),
  }),
};
