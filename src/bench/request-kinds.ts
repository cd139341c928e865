/** The kinds of requests that can be timed, one row for each. */

import { STYLED_LAYERS } from '../serialization/map-style.js';
import type { Pair, StopPlace } from './pairs.js';

/** The data that requests are made from. */
export interface Workload {
  router: string;
  pairs: readonly Pair[];
  stops: readonly StopPlace[];
  date: string;
  time: string;
  /** Further query parameters of every request, which override those of the kind. */
  settings: Readonly<Record<string, string>>;
}

export interface BenchRequest {
  method: 'GET' | 'POST';
  /** Path and query under the mount. */
  path: string;
  /** The query alone. */
  query: string;
  /** JSON. */
  body?: string;
}

/** How the answers of a kind are judged. */
export type AnswerFormat = 'plan' | 'json' | 'any';

interface RequestKind {
  summary: string;
  format: AnswerFormat;
  /** Sends at most as many requests as there are pairs. */
  make(workload: Workload): BenchRequest[];
}

/** A list becomes a repeated parameter. */
type Parameters = Record<string, string | readonly string[]>;

const WALK_LIMIT = { maxWalkDistance: '1000' };
const ONE_HOUR = '3600';
const TWO_HOURS = '7200';
/** Origins of a request for a matrix: enough that the time of a request is that of its searches. */
const MATRIX_ORIGINS = 100;
const FOUR_CUTOFFS = { cutoffSec: ['900', '1800', '2700', ONE_HOUR], algorithm: 'accSampling' };

/** Every kind by its name on the command line. */
export const REQUEST_KINDS: Readonly<Record<string, RequestKind>> = {
  plan: planKind('transit, three itineraries', { mode: 'TRANSIT,WALK', numItineraries: '3', ...WALK_LIMIT }),
  arriveBy: planKind('transit, latest arrival', { mode: 'TRANSIT,WALK', arriveBy: 'true', ...WALK_LIMIT }),
  walk: planKind('on foot', { mode: 'WALK' }),
  bike: planKind('by bicycle', { mode: 'BICYCLE' }),
  car: planKind('by car', { mode: 'CAR' }),
  bikeTransit: planKind('bicycle aboard transit', { mode: 'BICYCLE,TRANSIT' }),
  parkRide: planKind('park and ride', { mode: 'CAR_PARK,TRANSIT' }),
  rental: planKind('rented bicycle', { mode: 'WALK,BICYCLE_RENT' }),
  wheelchair: planKind('transit in a wheelchair', { mode: 'TRANSIT,WALK', wheelchair: 'true', ...WALK_LIMIT }),
  isochrone: originKind('isochrone of 30 minutes', 'isochrone', 'json', {
    mode: 'WALK,TRANSIT',
    cutoffSec: '1800',
    algorithm: 'accSampling',
    ...WALK_LIMIT,
  }),
  isochrones: originKind('isochrones of 15, 30, 45 and 60 minutes in one', 'isochrone', 'json', {
    mode: 'WALK,TRANSIT',
    ...FOUR_CUTOFFS,
    ...WALK_LIMIT,
  }),
  walkIsochrones: originKind('the same on foot', 'isochrone', 'json', { mode: 'WALK', ...FOUR_CUTOFFS }),
  timegrid: originKind('grid of travel times up to an hour', 'timegrid', 'any', {
    mode: 'WALK,TRANSIT',
    maxTimeSec: ONE_HOUR,
    ...WALK_LIMIT,
  }),
  surface: {
    summary: 'surface of travel times up to 90 minutes',
    format: 'json',
    make: (workload) =>
      distinctOrigins(workload).map((pair) => {
        const query = queryOf(workload, pair, { mode: 'WALK,TRANSIT', batch: 'true', ...WALK_LIMIT });
        return request('POST', '/surfaces', `routerId=${encodeURIComponent(workload.router)}&${query}`);
      }),
  },
  matrix: {
    summary: `seconds from ${MATRIX_ORIGINS} origins to the destinations of all pairs, up to two hours`,
    format: 'json',
    make: matrixRequests,
  },
  vectorTiles: {
    summary: 'vector tiles of the map, from zoom 16 to 0',
    format: 'any',
    make: (workload) =>
      workload.pairs.flatMap(({ from }, i) => {
        const place = tilePath(from, 16 - (i % 17));
        return place === undefined
          ? []
          : [request('GET', routerPath(workload, `vectorTiles/${STYLED_LAYERS}/${place}`))];
      }),
  },
  stopTimes: {
    summary: 'departures of a stop on the date',
    format: 'json',
    make: (workload) =>
      identified(workload).map((id) =>
        request(
          'GET',
          routerPath(workload, `index/stops/${encodeURIComponent(id)}/stoptimes/${digits(workload.date)}`),
        ),
      ),
  },
  stops: listKind('list of all stops', 'index/stops'),
  routes: listKind('list of all routes', 'index/routes'),
  router: listKind('description of the router', ''),
};

function planKind(summary: string, parameters: Parameters): RequestKind {
  const make = (workload: Workload) =>
    workload.pairs.map((pair) =>
      request('GET', routerPath(workload, 'plan'), queryOf(workload, pair, { toPlace: pair.to, ...parameters })),
    );
  return { summary, format: 'plan', make };
}

function originKind(summary: string, resource: string, format: AnswerFormat, parameters: Parameters): RequestKind {
  const make = (workload: Workload) =>
    distinctOrigins(workload).map((pair) =>
      request('GET', routerPath(workload, resource), queryOf(workload, pair, parameters)),
    );
  return { summary, format, make };
}

/** All origins to all destinations, divided into requests for as many origins each. */
function matrixRequests(workload: Workload): BenchRequest[] {
  const { pairs, date, time, settings } = workload;
  const position = (place: string) => place.replace(/^.*::/, '').split(',').map(Number);
  const destinations = pairs.map(({ to }) => position(to));
  const query = new URLSearchParams({ date, time, mode: 'WALK,TRANSIT', maxTimeSec: TWO_HOURS, ...settings });
  return Array.from({ length: Math.ceil(pairs.length / MATRIX_ORIGINS) }, (_, part) => {
    const of = pairs.slice(part * MATRIX_ORIGINS, (part + 1) * MATRIX_ORIGINS);
    const body = JSON.stringify({ origins: of.map(({ from }) => position(from)), destinations });
    return { ...request('POST', routerPath(workload, 'matrix'), query.toString()), body };
  });
}

/** A list without parameters: the same request several times. */
function listKind(summary: string, resource: string): RequestKind {
  const make = (workload: Workload) =>
    Array.from({ length: Math.min(50, workload.pairs.length) }, () => request('GET', routerPath(workload, resource)));
  return { summary, format: 'json', make };
}

function request(method: 'GET' | 'POST', path: string, query = ''): BenchRequest {
  return { method, path: query === '' ? path : `${path}?${query}`, query };
}

function routerPath({ router }: Workload, resource: string): string {
  const path = `/routers/${encodeURIComponent(router)}`;
  return resource === '' ? path : `${path}/${resource}`;
}

function queryOf({ date, time, settings }: Workload, pair: Pair, parameters: Parameters): string {
  const start = { fromPlace: pair.from, date: pair.date ?? date, time: pair.time ?? time };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...start, ...parameters, ...settings })) {
    for (const one of [value].flat()) query.append(name, one);
  }
  return query.toString();
}

function distinctOrigins({ pairs }: Workload): Pair[] {
  return [...new Map(pairs.map((pair) => [pair.from, pair])).values()];
}

function identified({ stops, pairs }: Workload): string[] {
  return stops.flatMap(({ id }) => (id === undefined ? [] : [id])).slice(0, pairs.length);
}

/** The tile of a zoom around `lat,lon`; undefined for a place of another form. */
function tilePath(place: string, z: number): string | undefined {
  const [lat, lon] = place.replace(/^.*::/, '').split(',').map(Number);
  if (lat === undefined || lon === undefined || Number.isNaN(lat) || Number.isNaN(lon)) return undefined;
  const row = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
  return `${z}/${Math.floor(((lon + 180) / 360) * 2 ** z)}/${Math.floor(row * 2 ** z)}.pbf`;
}

/** `yyyymmdd` of a date written with the year first. */
function digits(date: string): string {
  return date.replaceAll(/\D/g, '');
}
