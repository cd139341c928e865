/** Answers of the analyses that are not GeoJSON. */

import { EncodedPolyline } from './polyline.js';
import {
  anyOf,
  flag,
  integer,
  list,
  mapOf,
  named,
  nothing,
  number,
  object,
  optional,
  type Static,
  text,
} from './schema.js';

const params = mapOf(text(), 'Every query parameter of the request, the first value of each');

export const Surface = named('Surface', { id: integer(), params }, 'Travel times from a place to everywhere');
export type Surface = Static<typeof Surface>;

export const SurfaceList = list(Surface);
export type SurfaceList = Static<typeof SurfaceList>;

export const WindowSurfaces = named(
  'WindowSurfaces',
  {
    ...Surface.properties,
    percentiles: list(
      named('SurfaceOfWindow', { percentile: text(), id: integer() }, 'The surface of a statistic of a window'),
    ),
  },
  'The first surface of a window, and all of them',
);
export type WindowSurfaces = Static<typeof WindowSurfaces>;

export const CreatedSurfaces = anyOf(
  [WindowSurfaces, Surface, SurfaceList],
  'With `window` the surfaces of its percentiles; for a list in the body a list',
);
export type CreatedSurfaces = Static<typeof CreatedSurfaces>;

export const Indicator = named(
  'Indicator',
  {
    properties: object({ id: text() }),
    data: mapOf(
      named(
        'IndicatorData',
        {
          sums: list(number(), 'Magnitudes that are reached in each minute'),
          counts: list(number(), 'Places that are reached in each minute'),
        },
        'What is reached, minute by minute',
      ),
      'By property of the point set',
    ),
    times: optional(list(integer(), 'Seconds to each place; 2147483647 when it is not reached')),
  },
  'How much of a point set is reached, by minute',
);
export type Indicator = Static<typeof Indicator>;

export const Matrix = named(
  'Matrix',
  {
    seconds: list(list(anyOf([integer(), nothing()])), 'A list for each origin; null where nothing is reached in time'),
  },
  'Travel times from origins to destinations',
);
export type Matrix = Static<typeof Matrix>;

const Stats = named(
  'Stats',
  { min: integer(), avg: integer(), max: integer(), num: integer('Number of values; 1 for a sum') },
  'Seconds over a window of departures',
);

export const ProfileStation = named(
  'ProfileStation',
  { id: text(), name: text(), lat: number('Degrees'), lon: number('Degrees') },
  'A rental station',
);
export type ProfileStation = Static<typeof ProfileStation>;

export const StreetEdge = named(
  'StreetEdge',
  {
    edgeId: integer('Number of the edge in this build of the graph'),
    distance: integer('Metres'),
    geometry: EncodedPolyline,
    mode: optional(text('Where the mode changes')),
    streetName: optional(text('Where an instruction begins, like the members that follow')),
    relativeDirection: optional(text()),
    absoluteDirection: optional(text()),
    stayOn: optional(flag()),
    area: optional(flag()),
    bogusName: optional(flag()),
    bikeRentalOnStation: optional(ProfileStation),
    bikeRentalOffStation: optional(ProfileStation),
  },
  'An edge of a street path',
);
export type StreetEdge = Static<typeof StreetEdge>;

export const StreetSegment = named(
  'StreetSegment',
  { mode: text(), time: integer('Seconds'), streetEdges: list(StreetEdge) },
  'A street path',
);
export type StreetSegment = Static<typeof StreetSegment>;

const ProfileRoute = named(
  'ProfileRoute',
  {
    id: text('`feed:route`'),
    shortName: optional(text()),
    longName: optional(text()),
    mode: text(),
    color: optional(text()),
    agencyName: optional(text()),
  },
  'A route of a ride',
);

const SegmentPattern = named(
  'SegmentPattern',
  { patternId: text(), fromIndex: integer(), toIndex: integer(), nTrips: integer('Trips that travellers take') },
  'A pattern of a ride',
);

export const ProfileSegment = named(
  'ProfileSegment',
  {
    from: text('Cluster of stops'),
    to: text('Cluster of stops'),
    walkTime: integer('Seconds'),
    walkDistance: integer('Metres'),
    waitStats: Stats,
    mode: text(),
    fromName: text(),
    toName: text(),
    rideStats: Stats,
    routes: list(ProfileRoute),
    segmentPatterns: list(SegmentPattern),
  },
  'A ride on whichever vehicle comes first',
);
export type ProfileSegment = Static<typeof ProfileSegment>;

export const RideFare = named(
  'RideFare',
  { low: number(), peak: number(), senior: number(), transferReduction: flag() },
  "What a ride adds to the price, in the currency's unit",
);
export type RideFare = Static<typeof RideFare>;

export const ProfileOption = named(
  'ProfileOption',
  {
    transit: optional(list(ProfileSegment)),
    access: optional(list(StreetSegment)),
    egress: optional(list(StreetSegment)),
    stats: Stats,
    summary: text(),
    fares: list(nothing()),
    rideFares: optional(list(anyOf([RideFare, nothing()]))),
  },
  'An option for travelling within a window of departures',
);
export type ProfileOption = Static<typeof ProfileOption>;

export const ProfileOptions = named(
  'ProfileOptions',
  { options: list(ProfileOption) },
  'Options within a window of departures',
);
export type ProfileOptions = Static<typeof ProfileOptions>;

export const ProfileSurfaces = named(
  'ProfileSurfaces',
  { min: integer(), avg: integer(), max: integer() },
  'Ids of the surfaces of a profile with `analyst`',
);
export type ProfileSurfaces = Static<typeof ProfileSurfaces>;

export const ProfileAnswer = anyOf([ProfileOptions, ProfileSurfaces]);
export type ProfileAnswer = Static<typeof ProfileAnswer>;

export const ReachDifference = named(
  'ReachDifference',
  {
    stops: integer('Stops reached'),
    slower: integer('Those reached later without the agency, on average over the departures'),
    lost: integer('Those not reached without it'),
    secondsLost: integer('Average seconds lost at the slower ones'),
  },
  'How stops are reached without the vehicles of an agency',
);
export type ReachDifference = Static<typeof ReachDifference>;
