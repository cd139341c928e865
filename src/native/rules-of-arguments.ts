/** The rules for the arguments of every function that is given numbers or objects. */

import type * as addon from '#addon';
import { INT_MAX, LEAST_MULTIPLIER, MOST_MULTIPLIER } from './number-limits.js';
import { COST, DELAY, INTEGER, LIMIT, NOT_NEGATIVE, REQUEST_NUMBERS, SPEED } from './request-numbers.js';
import {
  FUNCTION,
  list,
  type MembersOf,
  members,
  type NumberRule,
  named,
  number,
  type RuleOf,
  SIGNAL,
  values,
  whole,
} from './rules.js';
import type { AnyFunction } from './safe-addon.js';

const [LATITUDE, LONGITUDE, COORDINATE] = [number(-90, 90), number(-180, 180), number(-180, 180)];
const SECONDS = NOT_NEGATIVE;
const SOME_SECONDS = number(1, INT_MAX);
const METRES = number(0, 40_000_000);
/** In the years -9999 to 9999: milliseconds are out of range. */
const INSTANT: NumberRule = { ...number(-377_705_023_201, 253_402_300_799), unit: 'seconds since 1970' };
const ANY = number(-Infinity);
const POSITION = whole(0, 2 ** 32 - 1);
const [COUNT, AT_LEAST_ONE] = [whole(), whole(1)];

const lacks = (name: string) => `${name} is missing`;
const isAbsent = (value: unknown) => value === undefined || value === null;

/** A latitude is nothing without a longitude. */
function faultOfPlace({ lat, lon }: Readonly<Record<string, unknown>>): string | undefined {
  if (isAbsent(lat) === isAbsent(lon)) return undefined;
  return lacks(isAbsent(lat) ? 'lat' : 'lon');
}

const PLACE = members({ name: null, lat: LATITUDE, lon: LONGITUDE, label: null }, faultOfPlace, true);
const POINT = members({ lat: LATITUDE, lon: LONGITUDE }, undefined, true);
const ROUTE = list(
  members({ feed: null, name: null, routeId: null }, ({ name, routeId }) =>
    name || routeId ? undefined : lacks('routeId'),
  ),
);
const SEARCH = members({ deadline: LIMIT, long: null, signal: SIGNAL });

const REQUEST: MembersOf<addon.SearchRequest> = {
  ...REQUEST_NUMBERS,
  from: PLACE,
  to: PLACE,
  intermediatePlaces: list(PLACE),
  epochSeconds: INSTANT,
  arriveBy: null,
  modes: null,
  optimize: null,
  wheelchair: null,
  triangleSafety: number(0, 1),
  triangleSlope: number(0, 1),
  triangleTime: number(0, 1),
  bikeRental: null,
  bikePark: null,
  carPark: null,
  kissAndRide: null,
  maxTransfersIfNoPath: COUNT,
  showIntermediateStops: null,
  locale: null,
  ignoreRealtime: null,
  driveOnRight: null,
  maxDuration: LIMIT,
  maxDurationFromRequestedTime: null,
  sortByDuration: null,
  disableAlertFiltering: null,
  preferredAgencies: null,
  unpreferredAgencies: null,
  bannedAgencies: null,
  whitelistedAgencies: null,
  bannedStops: null,
  bannedStopsHard: null,
  timeouts: list(DELAY),
  preferredRoutes: ROUTE,
  unpreferredRoutes: ROUTE,
  bannedRoutes: ROUTE,
  whitelistedRoutes: ROUTE,
  bannedTrips: list(members({ trip: null, stopPositions: list(POSITION) })),
  startTransitStop: null,
  startTransitTrip: null,
  boardTimes: values(DELAY),
  alightTimes: values(DELAY),
};

/** A request in which some members are needed. */
function request(needed: (given: Readonly<Record<string, unknown>>) => readonly string[]) {
  return members(REQUEST, (given) => {
    const missing = needed(given).find((name) => isMissing(given[name]));
    return missing === undefined ? undefined : lacks(missing);
  });
}

/** Whether a member of a request is absent, or is a place with neither a position nor a label. */
function isMissing(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isAbsent(value);
  const { lat, label } = value as { lat?: unknown; label?: unknown };
  return isAbsent(lat) && isAbsent(label);
}

const SEARCHED = request(() => []);
const TIMED = request(() => ['epochSeconds']);
const FROM_PLACE = request(() => ['epochSeconds', 'from']);
const REACH = request(({ arriveBy }) => ['epochSeconds', arriveBy === true ? 'to' : 'from']);
const TRIP = request(() => ['epochSeconds', 'from', 'to']);

const PROFILE: MembersOf<addon.ProfileRequest> = {
  from: POINT,
  to: POINT,
  fromEpoch: INSTANT,
  toEpoch: INSTANT,
  walkSpeed: SPEED,
  bikeSpeed: SPEED,
  carSpeed: SPEED,
  streetSeconds: SECONDS,
  walkSeconds: SECONDS,
  bikeSeconds: SECONDS,
  carSeconds: SECONDS,
  minCarSeconds: SECONDS,
  orderBy: null,
  limit: COUNT,
  suboptimalSeconds: SECONDS,
  bikeTriangle: list(COST),
  accessModes: null,
  egressModes: null,
  directModes: null,
  transitModes: null,
};

const BUILD: MembersOf<addon.BuildOptions> = {
  output: null,
  transit: null,
  streets: null,
  useTransfersTxt: null,
  parentStopLinking: null,
  stationTransfers: null,
  subwayAccessSeconds: DELAY,
  areaVisibility: null,
  staticBikeRental: null,
  staticParkAndRide: null,
  staticBikeParkAndRide: null,
  maxInterlineDistance: LIMIT,
  elevationUnitMultiplier: number(LEAST_MULTIPLIER, MOST_MULTIPLIER),
  osmWayPropertySet: null,
  islandWithoutStopsMaxSize: POSITION,
  banDiscouragedWalking: null,
  banDiscouragedBiking: null,
  baseMap: null,
  maxTransferSeconds: SECONDS,
  fares: list(
    members({
      service: null,
      currency: null,
      prices: list(members({ belowSeconds: SECONDS, amount: LIMIT })),
      maxFareAgencies: null,
    }),
  ),
  routerConfig: null,
  buildConfig: null,
};

const AREA = members({
  maxSeconds: SECONDS,
  precisionM: number(10, INT_MAX),
  offRoadM: number(10, INT_MAX),
  anchorLat: LATITUDE,
  anchorLon: LONGITUDE,
});
const DECIMALS = whole(0, 7);
const TILE = members({ z: whole(0, 22), x: POSITION, y: POSITION, style: null, geotiff: null });

const CIRCLES: MembersOf<addon.CircleOptions> = {
  spacingSeconds: SOME_SECONDS,
  timespanSeconds: SOME_SECONDS,
  stopsOnly: null,
  radiusM: METRES,
  contours: AT_LEAST_ONE,
  contourSpacingSeconds: SOME_SECONDS,
  crs: null,
  decimals: DECIMALS,
};

const TEXTS = list(members({ language: null, text: null }));
const ALERT: MembersOf<addon.AlertPatch> = {
  id: null,
  header: TEXTS,
  description: TEXTS,
  url: TEXTS,
  feedId: null,
  agency: null,
  route: null,
  trip: null,
  stop: null,
  direction: null,
  directionId: whole(-1, 1),
  routeType: COUNT,
  serviceDate: null,
  startTime: COUNT,
  periods: list(members({ start: ANY, end: ANY })),
  effectiveStart: ANY,
  effectiveEnd: ANY,
};

const STATION: MembersOf<addon.RentalStationInput> = {
  id: null,
  name: null,
  lat: LATITUDE,
  lon: LONGITUDE,
  isBikePark: null,
  isCarStation: null,
  bikesAvailable: COUNT,
  spacesAvailable: COUNT,
  allowDropoff: null,
  networks: null,
};

/** Modifications with numbers that do not fit are left out, and their reports say why. */
const NUMBER = INTEGER;
const TRIPS = members({
  agencyId: null,
  routeId: null,
  tripId: null,
  patternId: null,
  routeType: list(NUMBER),
  directionId: NUMBER,
});

const MODIFICATIONS: RuleOf<addon.ScenarioModification> = {
  kind: 'variants',
  variants: {
    'remove-trip': members({ trips: TRIPS }),
    'adjust-headway': members({ trips: TRIPS, headway: NUMBER, windowStart: NUMBER, windowEnd: NUMBER }),
    'adjust-dwell-time': members({ trips: TRIPS, stopId: null, dwellTime: NUMBER }),
    'skip-stop': members({ trips: TRIPS, stopId: null }),
    'move-stop': members({ stopId: null, lat: NUMBER, lon: NUMBER }),
    'add-trip-pattern': members({
      routeId: null,
      name: null,
      routeType: NUMBER,
      agencyId: null,
      directionId: NUMBER,
      headsign: null,
      stops: list(members({ stopId: null, lat: NUMBER, lon: NUMBER, name: null })),
      timetables: list(
        members({
          departures: list(NUMBER),
          headway: NUMBER,
          startTime: NUMBER,
          endTime: NUMBER,
          hopTimes: list(NUMBER),
          speed: NUMBER,
          dwellTimes: list(NUMBER),
          serviceId: null,
          days: null,
        }),
      ),
    }),
    'convert-to-frequency': members({ trips: TRIPS, groupBy: null, windowStart: NUMBER, windowEnd: NUMBER }),
    'transfer-rule': members({
      fromStopId: null,
      toStopId: null,
      fromRouteId: null,
      toRouteId: null,
      fromTripId: null,
      toTripId: null,
      transferType: number(0, 3),
      seconds: NUMBER,
    }),
  },
};

/** The rules for a list of parameters. */
type RulesOf<P extends readonly unknown[]> = { readonly [I in keyof P]-?: RuleOf<NonNullable<P[I]>> };

/** The rules for the functions that need any; those with `Sync` at the end are not for programs. */
type RulesOfFunctions<T> = {
  readonly [K in keyof T as T[K] extends AnyFunction
    ? RulesOf<Parameters<T[K]>>[number] extends null
      ? never
      : Exclude<K, `${string}Sync`>
    : never]: T[K] extends AnyFunction ? RulesOf<Parameters<T[K]>> : never;
};

const [LAT, LON] = [named('lat', LATITUDE), named('lon', LONGITUDE)];
const RADIUS = named('radius', METRES);
const [Z, X, Y] = [named('z', POSITION), named('x', POSITION), named('y', POSITION)];

const ON_PROGRESS = named('onProgress', FUNCTION);

/** Of the functions of `Graph` itself. */
export const OF_GRAPH_CLASS: RulesOfFunctions<Pick<typeof addon.Graph, 'open' | 'build'>> = {
  open: [null, ON_PROGRESS, members({ signal: SIGNAL, checkFirst: null })],
  build: [null, members(BUILD), ON_PROGRESS, members({ signal: SIGNAL })],
};

const MATRIX: MembersOf<addon.MatrixOptions> = {
  origins: list(COORDINATE),
  destinations: list(COORDINATE),
  maxSeconds: SECONDS,
  originsLeft: POSITION,
};

/** Of the methods of graphs. */
export const OF_GRAPHS: RulesOfFunctions<addon.Graph> = {
  utcOffset: [named('epochSeconds', INSTANT)],
  plan: [TRIP, SEARCH],
  prepareStreets: [SEARCHED, SEARCH],
  profile: [members(PROFILE), SEARCH],
  isochrone: [REACH, members({ area: AREA, cutoffs: list(SECONDS), decimals: DECIMALS }), SEARCH],
  walkshed: [FROM_PLACE, members({ seconds: SECONDS, form: null }), SEARCH],
  circleIsochrone: [FROM_PLACE, members(CIRCLES), SEARCH],
  timeGrid: [REACH, members({ area: AREA, value: null, created: null }), SEARCH],
  matrix: [TIMED, members(MATRIX), SEARCH],
  surface: [REACH, members({ cutoffSeconds: SECONDS }), SEARCH],
  windowSurfaces: [
    REACH,
    members({
      cutoffSeconds: SECONDS,
      windowSeconds: SECONDS,
      stepSeconds: SOME_SECONDS,
      maxStopSeconds: SECONDS,
      statistics: null,
    }),
    SEARCH,
  ],
  surfaceFromBytes: [REACH, null],
  geocode: [members({ text: null, autocomplete: null, stops: null, clusters: null, corners: null, places: null })],
  administrativeAreaAt: [LAT, LON, named('adminLevel', whole(0, 255))],
  stopsInBox: [
    named('minLat', LATITUDE),
    named('minLon', LONGITUDE),
    named('maxLat', LATITUDE),
    named('maxLon', LONGITUDE),
  ],
  stopsInCircle: [LAT, LON, RADIUS],
  stopsWithinWalk: [LAT, LON, RADIUS, SEARCH],
  stopTimes: [
    null,
    members({ startTime: INSTANT, timeRange: SECONDS, numberOfDepartures: COUNT, omitNonPickups: null }),
  ],
  fuzzyTrip: [named('route', POSITION), named('direction', NUMBER), null, named('time', NUMBER)],
  applyTripUpdates: [
    null,
    members({
      feedId: null,
      source: POSITION,
      differential: null,
      fuzzyTripMatching: null,
      purgeExpiredData: null,
      now: INSTANT,
    }),
  ],
  setRentalStations: [named('stations', list(members(STATION)))],
  setAlerts: [named('alerts', list(members(ALERT)))],
  alerts: [named('from', COUNT), named('count', LIMIT)],
  applyAlerts: [named('feed', POSITION), null, null, named('earlyStart', SECONDS)],
  setStreetAlerts: [
    named(
      'alerts',
      list(
        members({ header: null, description: null, effectiveStart: ANY, lines: list(list(COORDINATE)), isArea: null }),
      ),
    ),
  ],
  withScenario: [named('modifications', list(MODIFICATIONS))],
  inspectorTile: [null, Z, X, Y],
  vectorTile: [
    members({
      layers: null,
      z: POSITION,
      x: POSITION,
      y: POSITION,
      points: list(members({ layer: null, lat: LATITUDE, lon: LONGITUDE, attributes: null })),
      gzip: null,
    }),
  ],
};

/** Of the methods of surfaces. */
export const OF_SURFACES: RulesOfFunctions<addon.Surface> = {
  linkPoints: [named('positions', list(COORDINATE))],
  timesTo: [null, named('walkSpeed', SPEED)],
  isochrone: [named('spacing', SOME_SECONDS), named('count', COUNT), SEARCH],
  tile: [TILE],
  differenceTile: [null, TILE],
  timeLeftTile: [null, named('seconds', SECONDS), TILE],
  raster: [
    members({ crs: null, width: AT_LEAST_ONE, height: AT_LEAST_ONE, resolution: number(1e-9, 1e9), geotiff: null }),
    SEARCH,
  ],
};

/** Of the functions besides these classes. */
export const OF_FUNCTIONS: Pick<RulesOfFunctions<typeof addon>, 'configurePool'> = {
  configurePool: [named('workers', AT_LEAST_ONE), named('queue', AT_LEAST_ONE)],
};
