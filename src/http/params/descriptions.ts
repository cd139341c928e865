/** The shared routing parameters in words and schemas, for the description of the interface. */

import { type ParameterSchema, parameter } from '../parameter-schema.js';

const { text } = parameter;
const flag = (name: string, description: string) => parameter.boolean(name, description, { default: false });
const whole = (name: string, byDefault: number, description: string) =>
  parameter.integer(name, description, { default: byDefault });
const number = (name: string, byDefault: number, description: string) =>
  parameter.decimal(name, description, { default: byDefault });

/** The scenario of a search. */
export const SCENARIO_PARAMETER = text('scenario', 'Id of a scenario of the router: its schedule is searched');

/** Parameters of every routing endpoint. */
export const ROUTING_PARAMETERS: readonly ParameterSchema[] = [
  text('fromPlace', 'Start: `[name::]lat,lon` or the label of a vertex such as `feed:stop`'),
  text('toPlace', 'Destination, in the form of `fromPlace`'),
  text('date', 'Date of travel, for example `2019-05-13`, `05-13-2019` or `20190513`; today when absent'),
  text('time', 'Time of travel, for example `17:05`, `5:05pm`, or without a date an ISO 8601 date and time'),
  flag('arriveBy', 'Date and time are the latest arrival'),
  text(
    'mode',
    'Comma list of modes with qualifiers, for example `TRANSIT,WALK`, `BICYCLE_RENT`, `CAR_PARK,WALK,TRANSIT`',
    { default: 'TRANSIT,WALK' },
  ),
  text('optimize', 'What a cyclist optimizes for; `TRANSFERS` avoids changes', {
    enum: ['QUICK', 'SAFE', 'FLAT', 'GREENWAYS', 'TRIANGLE', 'TRANSFERS'],
    default: 'QUICK',
  }),
  number('triangleSafetyFactor', 0, 'Weight of safety with `optimize=TRIANGLE`; the three factors sum to 1'),
  number('triangleSlopeFactor', 0, 'Weight of flatness with `optimize=TRIANGLE`'),
  number('triangleTimeFactor', 0, 'Weight of time with `optimize=TRIANGLE`'),
  flag('wheelchair', 'Only streets, stops and trips that a wheelchair can use'),
  whole('numItineraries', 3, 'Largest number of itineraries'),
  number('maxWalkDistance', 2000, 'Longest way walked or cycled, metres'),
  whole('maxPreTransitTime', 1800, 'Longest drive before transit, seconds'),
  number('walkReluctance', 2, 'Cost of a second of walking'),
  number('waitReluctance', 1, 'Cost of a second of waiting between vehicles'),
  number('waitAtBeginningFactor', 0.4, 'Cost of a second of waiting for the first vehicle'),
  number('walkSpeed', 1.33, 'Metres per second'),
  number('bikeSpeed', 5, 'Metres per second; 4.3 for rented bikes'),
  whole('bikeSwitchTime', 0, 'Seconds for changing between walking and cycling'),
  whole('bikeSwitchCost', 0, 'Cost of that change'),
  whole('minTransferTime', 0, 'Seconds between leaving one vehicle and boarding the next'),
  whole('boardSlack', 0, 'Seconds kept free before boarding'),
  whole('alightSlack', 0, 'Seconds kept free after alighting'),
  text('preferredRoutes', 'Comma list of `feed__routeId`, `feed_routeName` or `_routeName`'),
  text('unpreferredRoutes', 'Routes that cost extra'),
  text('bannedRoutes', 'Routes that are not used'),
  text('whiteListedRoutes', 'When set, only these routes (or the white-listed agencies) are used'),
  text('preferredAgencies', 'Comma list of agency ids'),
  text('unpreferredAgencies', 'Agencies that cost extra'),
  text('bannedAgencies', 'Agencies that are not used'),
  text('whiteListedAgencies', 'When set, only these agencies (or the white-listed routes) are used'),
  text('bannedTrips', 'Comma list of `feed:trip` or `feed:trip:position:position…`'),
  text('bannedStops', 'Comma list of `feed:stop` where boarding and alighting are not allowed'),
  text('bannedStopsHard', 'Comma list of `feed:stop` that vehicles may not even pass'),
  whole('otherThanPreferredRoutesPenalty', 300, 'Cost of boarding a route that is not preferred'),
  whole('walkBoardCost', 600, 'Cost of each boarding on foot'),
  whole('bikeBoardCost', 600, 'Cost of each boarding with a bike'),
  whole('transferPenalty', 0, 'Cost of each boarding after the first'),
  whole('nonpreferredTransferPenalty', 180, 'Cost of a transfer that the feed does not recommend'),
  whole('maxTransfers', 2, 'Largest number of transfers'),
  text('startTransitStopId', '`feed_stop`, a stop or station: plans board their first vehicle there'),
  text('startTransitTripId', '`feed_trip` of the vehicle the traveller is in'),
  whole('clampInitialWait', -1, 'One-to-many: seconds of initial waiting removed at most; negative: all'),
  text('locale', 'Language of names and notes', { default: 'en' }),
  flag('ignoreRealtimeUpdates', 'Use the schedule only'),
  text('pathComparator', '`duration` sorts itineraries by duration'),
  parameter.decimal('maxHours', 'Itineraries of this duration or longer are dropped'),
  flag('useRequestedDateTimeInMaxHours', 'Measure `maxHours` from the requested time'),
  flag('disableAlertFiltering', 'Show alerts whatever their period'),
  flag('geoidElevation', 'Repeated in the answer; elevations are those of the raster in any case'),
  SCENARIO_PARAMETER,
];

/** Parameters of `plan`. */
export const PLAN_PARAMETERS: readonly ParameterSchema[] = [
  ...ROUTING_PARAMETERS,
  text('intermediatePlaces', 'Place to pass on the way; in this order', { repeatable: true }),
  flag('showIntermediateStops', 'List the stops that transit legs pass'),
];
