/** Answers about the server and its routers. */

import { LineString, Point, Polygon } from './geometry.js';
import { RouteMode } from './modes.js';
import { anyOf, flag, integer, list, mapOf, named, number, object, optional, type Static, text } from './schema.js';

export const ServerInfo = named(
  'ServerInfo',
  {
    serverVersion: named(
      'ServerVersion',
      {
        version: text('`major.minor.incremental`'),
        major: integer(),
        minor: integer(),
        incremental: integer(),
        qualifier: text(),
        commit: text('Revision of the sources; empty when unknown'),
        describe: text('Name, version and revision of the program'),
        commit_time: text(),
        build_time: text(),
        longVersionString: text(),
        shortVersionString: text('Name and version of the program'),
        uid: integer(),
      },
      'Version of the interface, and of the program',
    ),
    product: named('Product', { name: text(), version: text('Semantic version') }, 'The program'),
    cpuName: text(),
    nCores: integer(),
  },
  'The server and its machine',
);
export type ServerInfo = Static<typeof ServerInfo>;

const LOWER_LEFT_LONGITUDE = 'Greater than `upperRightLongitude` if the area is on both sides of the 180th meridian';

const TransitArea = named(
  'TransitArea',
  {
    lowerLeftLongitude: number(LOWER_LEFT_LONGITUDE),
    lowerLeftLatitude: number(),
    upperRightLongitude: number(),
    upperRightLatitude: number(),
  },
  'The area of most stops with trips, or of those near streets if some are; absent without transit',
);

export const RouterInfo = named(
  'RouterInfo',
  {
    routerId: text(),
    polygon: anyOf(
      [Polygon, LineString, Point],
      'Convex hull; if it crosses the 180th meridian, longitudes beyond it exceed 180',
    ),
    buildTime: integer('Epoch milliseconds'),
    transitServiceStarts: integer('Epoch seconds; a number near 2^63 without transit'),
    transitServiceEnds: integer('Epoch seconds; 0 without transit'),
    transitModes: list(RouteMode),
    centerLatitude: number(),
    centerLongitude: number(),
    hasParkRide: flag(),
    travelOptions: list(
      named('TravelOption', { value: text('For the parameter `mode`'), name: text() }, 'Modes that a client may offer'),
    ),
    lowerLeftLongitude: number(LOWER_LEFT_LONGITUDE),
    lowerLeftLatitude: number(),
    upperRightLongitude: number(),
    upperRightLatitude: number(),
    hasBikeSharing: flag(),
    hasBikePark: flag(),
    transitArea: optional(TransitArea),
  },
  'A registered router',
);
export type RouterInfo = Static<typeof RouterInfo>;

export const RouterList = named('RouterList', { routerInfo: list(RouterInfo) }, 'All registered routers');
export type RouterList = Static<typeof RouterList>;

export const ServiceDays = named(
  'ServiceDays',
  {
    timeZone: text('IANA name of the time zone of the graph'),
    firstDate: optional(text('Day of the first number, `2026-11-23`; absent without transit')),
    trips: list(
      integer('Trips of a day; one with frequencies counts once'),
      'From the first day with a trip to the last',
    ),
  },
  'The days on which trips run as scheduled',
);
export type ServiceDays = Static<typeof ServiceDays>;

export const BuildReport = named(
  'BuildReport',
  {
    buildTime: integer('Epoch milliseconds'),
    bytes: integer('Size of the graph file'),
    contents: object(
      {
        vertices: integer(),
        edges: integer(),
        stops: integer(),
        routes: integer(),
        patterns: integer(),
        trips: integer(),
      },
      'What the graph holds',
    ),
    steps: list(named('BuildStep', { step: text(), milliseconds: number() }, 'A step of a build'), 'In their order'),
    issueCounts: list(
      named('IssueCount', { code: text(), count: integer() }, 'How often a kind of issue occurred'),
      'By kind',
    ),
    issues: list(
      named(
        'BuildIssue',
        { code: text(), file: text(), line: integer('0 where it has none'), message: text() },
        'A row that was dropped or repaired, or a remark about an input',
      ),
      'Some of each kind',
    ),
  },
  'Times, counts and issues of a build',
);
export type BuildReport = Static<typeof BuildReport>;

const UpdaterError = named(
  'UpdaterError',
  { at: integer('Epoch milliseconds'), message: text() },
  'A failure of an updater',
);

export const UpdaterStatus = named(
  'UpdaterStatus',
  {
    type: text('As in the configuration'),
    description: text(),
    lastSuccess: optional(integer('Epoch milliseconds')),
    warning: optional(text('What was missing in the last run that succeeded')),
    lastError: optional(UpdaterError),
    runs: integer(),
    failures: integer(),
    stale: flag('The last data was too old and is no longer used'),
    dataTimestamp: optional(integer('When the source made the last data, epoch milliseconds')),
    counts: mapOf(number(), 'Of the last data, by name'),
  },
  'Status of an updater',
);
export type UpdaterStatus = Static<typeof UpdaterStatus>;

export const UpdaterStatuses = named('UpdaterStatuses', { updaters: list(UpdaterStatus) }, 'Status of all updaters');
export type UpdaterStatuses = Static<typeof UpdaterStatuses>;

export const UpdaterList = mapOf(text(), 'Descriptions by number');
export const UpdaterClass = text('Name of a class');

export const Vehicle = named(
  'Vehicle',
  {
    id: text(),
    label: optional(text()),
    lat: number('Degrees'),
    lon: number('Degrees'),
    bearing: optional(number('Degrees clockwise from north')),
    speed: optional(number('Metres per second')),
    feedId: optional(text('Feed of its ids, where the updater names one')),
    tripId: optional(text('Without the feed')),
    routeId: optional(text('Without the feed')),
    stopId: optional(text('Without the feed')),
    timestamp: optional(integer('Epoch seconds')),
  },
  'Where a vehicle is',
);
export type Vehicle = Static<typeof Vehicle>;

export const Vehicles = named('Vehicles', { vehicles: list(Vehicle) }, 'Vehicles of live data');
export type Vehicles = Static<typeof Vehicles>;
