/** Answers of the transit index. Ids are `feed:entity` unless said otherwise. */

import { RouteMode } from './modes.js';
import { EncodedPolyline } from './polyline.js';
import { flag, integer, list, named, number, oneOf, optional, type Static, text } from './schema.js';

const FeedDate = named(
  'FeedDate',
  {
    year: integer(),
    month: integer('1 to 12'),
    day: integer(),
    asDate: integer('Local midnight, epoch milliseconds'),
    asString: text('`YYYYMMDD`'),
  },
  'A date of a feed',
);

export const Feed = named(
  'Feed',
  {
    id: text(),
    publisherName: optional(text()),
    publisherUrl: optional(text()),
    lang: optional(text()),
    startDate: optional(FeedDate),
    endDate: optional(FeedDate),
    version: optional(text()),
  },
  'One feed',
);
export type Feed = Static<typeof Feed>;

export const Agency = named(
  'Agency',
  {
    id: text('agency_id without the feed'),
    name: text(),
    url: text(),
    timezone: text('IANA name'),
    lang: optional(text()),
    phone: optional(text()),
    fareUrl: optional(text()),
    brandingUrl: optional(text()),
  },
  'An agency',
);
export type Agency = Static<typeof Agency>;

export const StopShort = named(
  'StopShort',
  {
    id: text(),
    code: optional(text()),
    name: text(),
    lat: number('Degrees'),
    lon: number('Degrees'),
    url: optional(text()),
    cluster: optional(text('parent_station without the feed')),
    dist: optional(integer('Metres, where stops are searched for by distance')),
  },
  'A stop in a list',
);
export type StopShort = Static<typeof StopShort>;

export const Stop = named(
  'Stop',
  {
    id: text(),
    name: text(),
    lat: number('Degrees'),
    lon: number('Degrees'),
    code: optional(text()),
    desc: optional(text()),
    zoneId: optional(text()),
    url: optional(text()),
    locationType: integer('location_type'),
    parentStation: optional(text('Without the feed')),
    wheelchairBoarding: integer('wheelchair_boarding'),
    direction: optional(text()),
    timezone: optional(text('IANA name')),
    vehicleType: integer('vehicle_type, -999 when not given'),
    platformCode: optional(text()),
    vehicleTypeSet: flag(),
  },
  'A stop',
);
export type Stop = Static<typeof Stop>;

export const Transfer = named('Transfer', { toStopId: text(), distance: number('Metres') }, 'A walk to another stop');
export type Transfer = Static<typeof Transfer>;

export const RouteShort = named(
  'RouteShort',
  {
    id: text(),
    shortName: optional(text()),
    longName: optional(text()),
    mode: RouteMode,
    color: optional(text('Six hexadecimal digits')),
    agencyName: optional(text()),
  },
  'A route in a list',
);
export type RouteShort = Static<typeof RouteShort>;

export const Route = named(
  'Route',
  {
    id: text(),
    agency: optional(Agency),
    shortName: optional(text()),
    longName: optional(text()),
    type: integer('route_type'),
    desc: optional(text()),
    url: optional(text()),
    color: optional(text('Six hexadecimal digits')),
    textColor: optional(text('Six hexadecimal digits')),
    routeBikesAllowed: integer(),
    bikesAllowed: integer(),
    sortOrder: integer('-999 when not given'),
    brandingUrl: optional(text()),
    eligibilityRestricted: integer('-999 when not given'),
    sortOrderSet: flag(),
  },
  'A route',
);
export type Route = Static<typeof Route>;

export const PatternShort = named(
  'PatternShort',
  { id: text('`feed:route:direction:number`'), desc: optional(text()) },
  'A pattern in a list',
);
export type PatternShort = Static<typeof PatternShort>;

export const TripShort = named(
  'TripShort',
  {
    id: text(),
    tripHeadsign: optional(text()),
    serviceId: optional(text()),
    shapeId: optional(text('Without the feed')),
    direction: optional(integer('direction_id')),
  },
  'A trip in a list',
);
export type TripShort = Static<typeof TripShort>;

export const Pattern = named(
  'Pattern',
  {
    ...PatternShort.properties,
    routeId: optional(text()),
    stops: list(StopShort, 'In order'),
    trips: list(TripShort),
  },
  'Trips of one route with the same stops in the same order',
);
export type Pattern = Static<typeof Pattern>;

export const Trip = named(
  'Trip',
  {
    id: text(),
    route: Route,
    serviceId: optional(text()),
    tripShortName: optional(text()),
    tripHeadsign: optional(text()),
    routeShortName: optional(text()),
    directionId: optional(text()),
    blockId: optional(text()),
    shapeId: optional(text()),
    wheelchairAccessible: integer('wheelchair_accessible'),
    tripBikesAllowed: integer(),
    bikesAllowed: integer('bikes_allowed'),
    fareId: optional(text()),
    drtMaxTravelTime: optional(text()),
    drtAvgTravelTime: optional(text()),
    drtAdvanceBookMin: number('Minutes before the trip by which it must be booked'),
    drtPickupMessage: optional(text()),
    drtDropOffMessage: optional(text()),
    continuousPickupMessage: optional(text()),
    continuousDropOffMessage: optional(text()),
  },
  'A trip',
);
export type Trip = Static<typeof Trip>;

export const StopTime = named(
  'StopTime',
  {
    stopId: optional(text()),
    stopIndex: integer('Position in the pattern'),
    stopCount: integer('Stops of the pattern'),
    scheduledArrival: integer('Seconds of the service day; -1 when there is none'),
    scheduledDeparture: integer('Seconds of the service day'),
    realtimeArrival: integer('Seconds of the service day'),
    realtimeDeparture: integer('Seconds of the service day'),
    arrivalDelay: integer('Seconds'),
    departureDelay: integer('Seconds'),
    timepoint: flag('The feed says that the times are exact'),
    realtime: flag(),
    realtimeState: oneOf(['SCHEDULED', 'UPDATED', 'CANCELED', 'ADDED', 'MODIFIED']),
    serviceDay: integer('Start of the service day, epoch seconds; 0 in the list of a trip'),
    tripId: optional(text('Absent in the list of a trip')),
    blockId: optional(text()),
    headsign: optional(text()),
    continuousPickup: integer('continuous_pickup'),
    continuousDropOff: integer('continuous_drop_off'),
    serviceAreaRadius: number('Radius around the stop that is served on demand, metres; 0 without'),
    serviceArea: optional(text('Boundary of the area that is served on demand, as an encoded polyline')),
    stopSequence: integer('stop_sequence'),
  },
  'A call of a trip at a stop',
);
export type StopTime = Static<typeof StopTime>;

export const StopTimesInPattern = named(
  'StopTimesInPattern',
  { pattern: PatternShort, times: list(StopTime) },
  'Calls of one pattern at a stop',
);
export type StopTimesInPattern = Static<typeof StopTimesInPattern>;

export const Cluster = named(
  'Cluster',
  {
    id: text(),
    name: text(),
    lat: number('Degrees'),
    lon: number('Degrees'),
    stops: optional(list(StopShort, 'In detailed answers')),
  },
  'Stops that belong together',
);
export type Cluster = Static<typeof Cluster>;

export const FlexArea = named('FlexArea', { areaId: text(), polygon: EncodedPolyline }, 'An area of flexible service');
export type FlexArea = Static<typeof FlexArea>;
