/** Answers to `plan`. */

import { LegMode } from './modes.js';
import { EncodedPolyline } from './polyline.js';
import { constant, flag, integer, list, mapOf, named, number, oneOf, optional, type Static, text } from './schema.js';

export const Alert = named(
  'Alert',
  {
    alertHeaderText: optional(text()),
    alertDescriptionText: optional(text()),
    alertUrl: optional(text()),
    effectiveStartDate: optional(integer('Epoch milliseconds')),
  },
  'A disruption that concerns a leg or a step',
);
export type Alert = Static<typeof Alert>;

export const Place = named(
  'Place',
  {
    name: text(),
    stopId: optional(text('`feed:stop`')),
    stopCode: optional(text()),
    platformCode: optional(text()),
    lon: number('Degrees'),
    lat: number('Degrees'),
    arrival: optional(integer('Epoch milliseconds')),
    departure: optional(integer('Epoch milliseconds')),
    orig: optional(text("The request's name of the place; only at the ends of an itinerary")),
    zoneId: optional(text()),
    stopIndex: optional(integer('Position in the pattern')),
    stopSequence: optional(integer('stop_sequence')),
    vertexType: oneOf(['NORMAL', 'BIKESHARE', 'BIKEPARK', 'TRANSIT']),
    bikeShareId: optional(text('Id of the rental station')),
    boardAlightType: optional(constant('DEFAULT')),
  },
  'An end of a leg, a stop that is passed, or an end of the plan',
);
export type Place = Static<typeof Place>;

export const Step = named(
  'Step',
  {
    distance: number('Metres'),
    relativeDirection: text('`DEPART`, `LEFT`, `CIRCLE_CLOCKWISE`, …'),
    streetName: text(),
    absoluteDirection: optional(text('`NORTH`, `NORTHEAST`, …; absent for elevators')),
    exit: optional(text('Exit of a roundabout')),
    stayOn: flag('The name is that of the step before'),
    area: flag('The path crosses an area such as a square'),
    bogusName: flag('The name is only a description such as “path”'),
    lon: number('Degrees'),
    lat: number('Degrees'),
    elevation: list(
      named(
        'ElevationPoint',
        { first: number('Metres from the start of the step'), second: number('Metres of elevation') },
        'Elevation at a point of a step',
      ),
    ),
    alerts: optional(list(Alert)),
  },
  'An instruction of a street leg',
);
export type Step = Static<typeof Step>;

export const Leg = named(
  'Leg',
  {
    startTime: integer('Epoch milliseconds'),
    endTime: integer('Epoch milliseconds'),
    departureDelay: integer('Seconds; negative when early'),
    arrivalDelay: integer('Seconds; negative when early'),
    realTime: flag('The times are those of live data'),
    isNonExactFrequency: optional(flag('The vehicle comes every `headway` seconds; the times are the latest')),
    headway: optional(integer('Seconds')),
    distance: number('Metres'),
    pathway: flag('A path inside a station'),
    mode: LegMode,
    route: text('Short or long name of the route; empty on streets'),
    agencyName: optional(text()),
    agencyUrl: optional(text()),
    agencyTimeZoneOffset: integer('Milliseconds that clocks of the agency are ahead of UTC'),
    routeColor: optional(text('Six hexadecimal digits')),
    routeType: optional(integer('route_type')),
    routeId: optional(text('`feed:route`')),
    routeTextColor: optional(text('Six hexadecimal digits')),
    interlineWithPreviousLeg: flag('Travellers stay in the vehicle of the leg before'),
    tripShortName: optional(text()),
    tripBlockId: optional(text()),
    headsign: optional(text()),
    agencyId: optional(text('agency_id without the feed')),
    tripId: optional(text('`feed:trip`')),
    serviceDate: optional(text('`YYYYMMDD`')),
    from: Place,
    to: Place,
    legGeometry: EncodedPolyline,
    alerts: optional(list(Alert)),
    routeShortName: optional(text()),
    routeLongName: optional(text()),
    boardRule: optional(text('How to board if boarding is not regular')),
    alightRule: optional(text('How to alight if alighting is not regular')),
    rentedBike: flag(),
    callAndRide: flag('Always false'),
    flexDrtAdvanceBookMin: number('Always 0'),
    transitLeg: flag(),
    duration: number('Seconds'),
    intermediateStops: optional(list(Place, 'Stops that are passed, when the request asks for them')),
    steps: list(Step, 'Instructions; empty on transit'),
  },
  'A part of an itinerary in one mode',
);
export type Leg = Static<typeof Leg>;

export const Money = named(
  'Money',
  {
    currency: named(
      'Currency',
      {
        symbol: text(),
        currency: text('ISO 4217'),
        defaultFractionDigits: integer('Digits after the point'),
        currencyCode: text('ISO 4217'),
      },
      'A currency',
    ),
    cents: integer("In the currency's smallest unit"),
  },
  'A price',
);
export type Money = Static<typeof Money>;

export const FareDetail = named(
  'FareDetail',
  { fareId: text('`feed:fare`'), price: Money, routes: list(text('`feed:route`'), 'Of the rides that it pays for') },
  'A fare that is bought',
);
export type FareDetail = Static<typeof FareDetail>;

export const Fare = named(
  'Fare',
  { fare: mapOf(Money, 'By kind of fare: `regular`, …'), details: mapOf(list(FareDetail), 'By kind of fare') },
  'What an itinerary costs',
);
export type Fare = Static<typeof Fare>;

export const Itinerary = named(
  'Itinerary',
  {
    duration: integer('Seconds'),
    startTime: integer('Epoch milliseconds'),
    endTime: integer('Epoch milliseconds'),
    walkTime: integer('Seconds on streets'),
    transitTime: integer('Seconds in vehicles'),
    waitingTime: integer('Seconds'),
    walkDistance: number('Metres on streets'),
    walkLimitExceeded: flag(
      '`walkDistance` is more than `maxWalkDistance`, which limits each walk of a trip by transit',
    ),
    elevationLost: number('Metres'),
    elevationGained: number('Metres'),
    transfers: integer('Number of transfers'),
    fare: optional(Fare),
    legs: list(Leg),
    tooSloped: flag('For a wheelchair: all ways have a street steeper than `maxSlope`, and so has this one'),
  },
  'A way to travel',
);
export type Itinerary = Static<typeof Itinerary>;

export const Plan = named(
  'Plan',
  { date: integer('The requested time, epoch milliseconds'), from: Place, to: Place, itineraries: list(Itinerary) },
  'Trips between two places',
);
export type Plan = Static<typeof Plan>;

export const PlanError = named(
  'PlanError',
  {
    id: integer(),
    msg: text('What went wrong, in English'),
    message: oneOf([
      'SYSTEM_ERROR',
      'GRAPH_UNAVAILABLE',
      'OUTSIDE_BOUNDS',
      'PATH_NOT_FOUND',
      'NO_TRANSIT_TIMES',
      'REQUEST_TIMEOUT',
      'TOO_CLOSE',
      'BOGUS_PARAMETER',
      'LOCATION_NOT_ACCESSIBLE',
      'UNDERSPECIFIED_TRIANGLE',
      'TRIANGLE_NOT_AFFINE',
    ]),
    missing: optional(list(text(), 'Parameters of the places that could not be found')),
    noPath: flag(),
    reason: optional(text('The parameter or place that causes the error')),
  },
  'Why there is no plan',
);
export type PlanError = Static<typeof PlanError>;

export const DebugOutput = named(
  'DebugOutput',
  {
    precalculationTime: integer(),
    pathCalculationTime: integer(),
    pathTimes: list(integer()),
    renderingTime: integer(),
    totalTime: integer(),
    timedOut: flag('The search was stopped before it had found everything'),
  },
  'Times of the search, milliseconds',
);
export type DebugOutput = Static<typeof DebugOutput>;

export const PlanAnswer = named(
  'PlanAnswer',
  {
    requestParameters: mapOf(text(), 'Every query parameter of the request, the first value of each'),
    plan: optional(Plan),
    error: optional(PlanError),
    debugOutput: optional(DebugOutput),
    elevationMetadata: optional(
      named(
        'ElevationMetadata',
        { ellipsoidToGeoidDifference: number('Metres'), geoidElevation: flag() },
        'What elevations count from',
      ),
    ),
  },
  'Either a plan, or the error that says why there is none',
);
export type PlanAnswer = Static<typeof PlanAnswer>;
