/** The fields of the root. The root value is the reader of the query. */

import { GraphQLError } from 'graphql';
import type { SearchOptions } from '../native/types.js';
import { quoted } from '../quoted.js';
import { parseGlobalId } from './global-id.js';
import type { GraphReader, Kind, Ref } from './graph-reader.js';
import { isOfFeed, nearestStops, type PageArguments } from './nearest-stops.js';
import { type PlannedTrip, withEntities } from './plan-entities.js';
import type { Resolvers } from './resolvers.js';
import type { StreamedLists } from './streamed-lists.js';

/** A root value: what the query reads, and how it plans. */
export interface Root {
  readonly reader: GraphReader;
  /** Its very long lists. */
  readonly streamedLists: StreamedLists;
  readonly plan: (parameters: Readonly<Record<string, unknown>>, options: SearchOptions) => Promise<PlannedTrip>;
}

/** An id that includes a feed, checked. */
function qualified(id: string): string {
  if (!id.includes(':')) throw new GraphQLError(`${quoted(id)} is not of the form feed:id`);
  return id;
}

function find<K extends Kind>({ reader }: Root, kind: K, id: string): Ref<K> | null {
  const [index = -1] = reader.graph.findSync(kind, [id]);
  return index < 0 ? null : reader.one(kind, index);
}

/** One entry per id, null for unknown ones. */
function findAll<K extends Kind>({ reader }: Root, kind: K, ids: readonly (string | null)[]) {
  const found = reader.graph.findSync(
    kind,
    ids.map((id) => qualified(id ?? '')),
  );
  const refs = reader.refs(kind, Uint32Array.from(found.filter((index) => index >= 0)));
  let next = 0;
  return reader.paced(Array.from(found, (index) => (index < 0 ? null : (refs[next++] ?? null))));
}

/** All entities of a kind, or those with the given ids. */
function allOr(kind: 'stops' | 'routes') {
  return (root: Root, { ids }: { ids?: readonly (string | null)[] | null }) =>
    ids ? findAll(root, kind, ids) : root.reader.list(kind, root.reader.graph.list(kind));
}

const all = (kind: Kind) => (root: Root) => root.reader.list(kind, root.reader.graph.list(kind));

const KINDS: Readonly<Record<string, Kind>> = {
  Agency: 'agencies',
  Cluster: 'clusters',
  Pattern: 'patterns',
  Route: 'routes',
  Stop: 'stops',
  Trip: 'trips',
};

/** By agency_id without feed; the first feed that has it wins. */
function agency(root: Root, id: string): Ref<'agencies'> | null {
  const { graph } = root.reader;
  const found = graph.agenciesSync(graph.list('agencies')).find((agency) => agency.id === id);
  return found === undefined ? null : root.reader.one('agencies', found.index);
}

/** The cost of a plan, or of a search of the streets, in list elements read. */
const PLAN_COST = 50_000;
const WALK_COST = 10_000;

interface ById {
  id: string;
}

interface BoxArguments {
  minLat?: number | null;
  minLon?: number | null;
  maxLat?: number | null;
  maxLon?: number | null;
  agency?: string | null;
}

interface RadiusArguments extends PageArguments {
  lat?: number | null;
  lon?: number | null;
  radius?: number | null;
}

interface FuzzyArguments {
  route?: string | null;
  direction?: number | null;
  date?: string | null;
  time?: number | null;
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

export const ROOT_RESOLVERS: Resolvers = {
  node: (root: Root, { id: text }: ById) => {
    const { type, id } = parseGlobalId(text);
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
    if (kind === undefined) return null;
    return kind === 'agencies' ? agency(root, id) : find(root, kind, id);
  },
  agencies: all('agencies'),
  agency: (root: Root, { id }: ById) => agency(root, id),
  stops: allOr('stops'),
  stopsByBbox: ({ reader }: Root, { minLat, minLon, maxLat, maxLon, agency: feed }: BoxArguments) => {
    if (!isNumber(minLat) || !isNumber(minLon) || !isNumber(maxLat) || !isNumber(maxLon)) {
      throw new GraphQLError('all four bounds are needed');
    }
    const stops = reader.refs('stops', reader.graph.stopsInBox(minLat, minLon, maxLat, maxLon));
    return reader.paced(feed ? stops.filter((stop) => isOfFeed(stop, feed)) : stops);
  },
  stopsByRadius: async ({ reader }: Root, args: RadiusArguments) => {
    const { lat, lon, radius } = args;
    if (!isNumber(lat) || !isNumber(lon) || !isNumber(radius) || radius < 0) {
      throw new GraphQLError('lat, lon and a radius of at least 0 are needed');
    }
    const { allowance, graph } = reader;
    allowance.spend(WALK_COST);
    const near = await allowance.search((options) => graph.stopsWithinWalk(lat, lon, radius, options));
    return nearestStops(reader, near, args);
  },
  stop: (root: Root, { id }: ById) => find(root, 'stops', qualified(id)),
  routes: allOr('routes'),
  route: (root: Root, { id }: ById) => find(root, 'routes', qualified(id)),
  trips: all('trips'),
  trip: (root: Root, { id }: ById) => find(root, 'trips', qualified(id)),
  fuzzyTrip: (root: Root, { route: id, direction, date, time }: FuzzyArguments) => {
    const route = find(root, 'routes', qualified(id ?? ''));
    if (route === null) throw new GraphQLError(`there is no route ${quoted(id)}`);
    if (!isNumber(direction) || !isNumber(time)) {
      throw new GraphQLError('direction and time are needed');
    }
    if (!date || !/^\d{8}$/.test(date)) return null;
    const trip = root.reader.graph.fuzzyTrip(route.index, direction, date, time);
    return trip === null || trip === undefined ? null : root.reader.one('trips', trip);
  },
  patterns: all('patterns'),
  pattern: (root: Root, { id }: ById) => find(root, 'patterns', id),
  clusters: all('clusters'),
  cluster: (root: Root, { id }: ById) => find(root, 'clusters', id),
  viewer: (root: Root) => root,
  plan: async (root: Root, parameters: Readonly<Record<string, unknown>>) => {
    const { allowance } = root.reader;
    allowance.spend(PLAN_COST);
    const { answer, graph } = await allowance.search((options) => root.plan(parameters, options));
    return withEntities(answer, root.reader.over(graph));
  },
};
