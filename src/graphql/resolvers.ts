/** How the fields of the index types are read. */

import { GraphQLError } from 'graphql';
import { range } from '../native/list-range.js';
import type { EntityRelation } from '../native/types.js';
import { textColor } from '../serialization/index-entities.js';
import { callText, REALTIME_STATES } from '../serialization/index-stop-times.js';
import { type Call, type CallGroup, CallTable, departure, type UpcomingArguments, upcomingCalls } from './calls.js';
import { globalId } from './global-id.js';
import { batched, type Kind, type Ref } from './graph-reader.js';

/** Reads one field of a source; the last argument is the root of the query. */
export type Resolver = (source: never, args: never, root: never) => unknown;

/** Resolvers of one type by field. */
export type Resolvers = Readonly<Record<string, Resolver>>;

const WHEELCHAIR = ['NO_INFORMATION', 'POSSIBLE', 'NOT_POSSIBLE'];
const BIKES = ['NO_INFORMATION', 'ALLOWED', 'NOT_ALLOWED'];
const LOCATION_TYPES = ['STOP', 'STATION', 'ENTRANCE'];

/** Members of the row, under their own or another name. */
function rowMembers<K extends Kind>(members: Readonly<Record<string, string>>): Resolvers {
  return Object.fromEntries(
    Object.entries(members).map(([field, member]) => [
      field,
      (ref: Ref<K>) => (ref.row as unknown as Record<string, unknown>)[member] ?? null,
    ]),
  );
}

const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]));

/** A list that a relation leads to; it may be long. */
function related(kind: Kind, relation: EntityRelation): Resolver {
  return (ref: Ref) => ref.reader.paced(ref.many(kind, relation));
}

/** The trips of a route, each once. Those of a pattern are listed once per row of `frequencies.txt`, as over REST. */
function routeTrips(ref: Ref) {
  const seen = new Set<number>();
  const list = ref.many('trips', 'routeTrips').filter(({ index }) => !seen.has(index) && seen.add(index));
  return ref.reader.paced(list);
}

const AGENCY: Resolvers = {
  ...rowMembers<'agencies'>({ gtfsId: 'id', ...same('name', 'url', 'timezone', 'lang', 'phone', 'fareUrl') }),
  id: (ref: Ref<'agencies'>) => globalId('Agency', ref.row.id),
  routes: related('routes', 'agencyRoutes'),
};

const CLUSTER: Resolvers = {
  ...rowMembers<'clusters'>({ gtfsId: 'id', ...same('name', 'lat', 'lon') }),
  id: (ref: Ref<'clusters'>) => globalId('Cluster', ref.row.id),
  stops: related('stops', 'clusterStops'),
};

const PATTERN: Resolvers = {
  ...rowMembers<'patterns'>({ ...same('code', 'headsign'), directionId: 'direction' }),
  name: (ref: Ref<'patterns'>) => ref.row.name || null,
  id: (ref: Ref<'patterns'>) => globalId('Pattern', ref.row.code),
  route: (ref: Ref<'patterns'>) => ref.to('routes', 'route', (row) => row.route),
  trips: related('trips', 'patternTrips'),
  stops: related('stops', 'patternStops'),
  geometry: (ref: Ref<'patterns'>) => {
    const points = shapeOf(ref);
    return points.length === 0 ? null : ref.reader.paced(points);
  },
  semanticHash: ({ batch, at }: Ref<'patterns'>) =>
    batch.once('hash', () => batch.reader.graph.patternHashesSync(batch.indices))[at] ?? null,
};

const ROUTE: Resolvers = {
  ...rowMembers<'routes'>({ gtfsId: 'id', ...same('shortName', 'longName', 'mode', 'desc', 'url', 'color') }),
  id: (ref: Ref<'routes'>) => globalId('Route', ref.row.id),
  agency: (ref: Ref<'routes'>) => ref.to('agencies', 'agency', (row) => row.agency),
  type: (ref: Ref<'routes'>) => String(ref.row.type),
  textColor: (ref: Ref<'routes'>) => textColor(ref.row) ?? null,
  bikesAllowed: (ref: Ref<'routes'>) => BIKES[ref.row.bikesAllowed] ?? null,
  patterns: related('patterns', 'routePatterns'),
  stops: related('stops', 'routeStops'),
  trips: routeTrips,
};

interface DayArguments {
  date?: string | null;
  omitNonPickups?: boolean | null;
}

const STOP: Resolvers = {
  ...rowMembers<'stops'>({
    gtfsId: 'id',
    ...same('name', 'lat', 'lon', 'code', 'desc', 'zoneId', 'url', 'direction', 'timezone'),
    ...same('vehicleType', 'platformCode'),
  }),
  id: (ref: Ref<'stops'>) => globalId('Stop', ref.row.id),
  locationType: (ref: Ref<'stops'>) => LOCATION_TYPES[ref.row.locationType] ?? null,
  parentStation: (ref: Ref<'stops'>) => ref.to('stops', 'parent', (row) => row.parent),
  wheelchairBoarding: (ref: Ref<'stops'>) => WHEELCHAIR[ref.row.wheelchairBoarding] ?? null,
  cluster: (ref: Ref<'stops'>) => ref.many('clusters', 'stopCluster')[0] ?? null,
  stops: related('stops', 'stationStops'),
  routes: related('routes', 'stopRoutes'),
  patterns: related('patterns', 'stopPatterns'),
  transfers: ({ batch, at }: Ref<'stops'>) => {
    const { walks, targets } = batch.once('transfers', () => {
      const walks = batch.reader.graph.transfersSync(batch.indices);
      return { walks, targets: batched(batch.reader, 'stops', walks.stops) };
    });
    const own = range(walks.offsets, at);
    return batch.reader.paced(own.map((i) => ({ stop: targets(i), distance: Math.round(walks.distances[i] ?? 0) })));
  },
  stoptimesForServiceDate: (stop: Ref<'stops'>, { date, omitNonPickups }: DayArguments) => {
    if (!isDate(date)) return null;
    const { batch, at } = stop.amongFew;
    const omit = omitNonPickups ?? false;
    const table = batch.once(`on ${date} ${omit}`, () => {
      return new CallTable(batch.reader, batch.reader.graph.stopTimesOnDateSync(batch.indices, date, omit), true);
    });
    return table.groups(at);
  },
  stoptimesForPatterns: (ref: Ref<'stops'>, args: UpcomingArguments) => {
    const { table, at } = upcomingCalls(ref, args);
    return table.groups(at);
  },
  stoptimesWithoutPatterns: (ref: Ref<'stops'>, args: UpcomingArguments) => {
    const { table, at } = upcomingCalls(ref, args);
    const calls = table.calls(at);
    calls.sort((a, b) => departure(a) - departure(b));
    return ref.reader.pacedRows(calls.slice(0, Math.max(0, args.numberOfDepartures ?? 5)));
  },
};

const TRIP: Resolvers = {
  ...rowMembers<'trips'>({
    gtfsId: 'id',
    ...same('serviceId', 'routeShortName', 'blockId'),
    tripShortName: 'shortName',
    tripHeadsign: 'headsign',
    shapeId: 'qualifiedShapeId',
  }),
  id: (ref: Ref<'trips'>) => globalId('Trip', ref.row.id),
  route: (ref: Ref<'trips'>) => ref.to('routes', 'route', (row) => row.route),
  pattern: (ref: Ref<'trips'>) => ref.to('patterns', 'pattern', (row) => row.pattern),
  directionId: (ref: Ref<'trips'>) => (ref.row.direction < 0 ? null : String(ref.row.direction)),
  wheelchairAccessible: (ref: Ref<'trips'>) => WHEELCHAIR[ref.row.wheelchairAccessible] ?? null,
  bikesAllowed: (ref: Ref<'trips'>) => BIKES[ref.row.bikesAllowed] ?? null,
  stops: related('stops', 'tripStops'),
  semanticHash: ({ batch, at }: Ref<'trips'>) =>
    batch.once('hash', () => batch.reader.graph.tripHashesSync(batch.indices))[at] || null,
  stoptimes: ({ batch, at }: Ref<'trips'>) => batch.reader.pacedRows(tripCalls(batch, undefined).calls(at)),
  stoptimesForDate: ({ batch, at }: Ref<'trips'>, { serviceDay }: { serviceDay?: string | null }) => {
    if (!isDate(serviceDay)) throw new GraphQLError('serviceDay is not a date of the form YYYYMMDD');
    return batch.reader.pacedRows(tripCalls(batch, serviceDay).calls(at));
  },
  geometry: (ref: Ref<'trips'>) => {
    const pattern = ref.to('patterns', 'pattern', (row) => row.pattern);
    if (pattern === null) return null;
    const points = shapeOf(pattern);
    pattern.reader.read(points.length);
    return points.map(({ lat, lon }) => `(${lon},${lat})`).join('') || null;
  },
};

function tripCalls(batch: Ref<'trips'>['batch'], date: string | undefined): CallTable {
  return batch.once(`calls ${date}`, () => {
    return new CallTable(batch.reader, batch.reader.graph.tripStopTimesSync(batch.indices, date), false);
  });
}

const STOPTIME: Resolvers = {
  stop: ({ table, position }: Call) => table.stop(position),
  trip: ({ table, position }: Call) => table.trip(position),
  scheduledArrival: ({ table, position }: Call) => table.times.scheduledArrivals[position],
  realtimeArrival: ({ table, position }: Call) => table.times.realtimeArrivals[position],
  arrivalDelay: ({ table: { times }, position }: Call) =>
    (times.realtimeArrivals[position] ?? 0) - (times.scheduledArrivals[position] ?? 0),
  scheduledDeparture: ({ table, position }: Call) => table.times.scheduledDepartures[position],
  realtimeDeparture: ({ table, position }: Call) => table.times.realtimeDepartures[position],
  departureDelay: ({ table: { times }, position }: Call) =>
    (times.realtimeDepartures[position] ?? 0) - (times.scheduledDepartures[position] ?? 0),
  timepoint: ({ table, position }: Call) => table.times.timepoints[position] === 1,
  realtime: ({ table, position }: Call) => table.times.states[position] !== 0,
  realtimeState: ({ table, position }: Call) => REALTIME_STATES[table.times.states[position] ?? 0],
  serviceDay: ({ table, position }: Call) => table.times.serviceDays[position],
  headsign: ({ table, position }: Call) => callText(table.texts, table.texts.headsigns, position) ?? null,
  stopIndex: ({ table, position }: Call) => table.times.positions[position],
  blockId: ({ table, position }: Call) => callText(table.texts, table.texts.blockIds, position) ?? null,
};

const STOPTIMES_IN_PATTERN: Resolvers = { stoptimes: ({ table, group }: CallGroup) => table.callsOf(group) };

function isDate(text: unknown): text is string {
  return typeof text === 'string' && /^\d{8}$/.test(text);
}

/** The points of a pattern on the map. */
function shapeOf({ batch, at }: Ref<'patterns'>): { lat: number; lon: number }[] {
  const { offsets, points } = batch.once('shapes', () => batch.reader.graph.patternPointsSync(batch.indices));
  return range(offsets, at).map((i) => ({ lat: points[2 * i] ?? 0, lon: points[2 * i + 1] ?? 0 }));
}

/** All index types but the root. */
export const INDEX_RESOLVERS: Readonly<Record<string, Resolvers>> = {
  Agency: AGENCY,
  Cluster: CLUSTER,
  Pattern: PATTERN,
  Route: ROUTE,
  Stop: STOP,
  Trip: TRIP,
  Stoptime: STOPTIME,
  StoptimesInPattern: STOPTIMES_IN_PATTERN,
};
