/** The fields of the root. The root value is the session of the query. */

import { GraphQLError } from 'graphql';
import type { SearchOptions } from '../native/types.js';
import { parseGlobalId } from './global-id.js';
import type { LaterLists } from './later-lists.js';
import { isOfFeed, nearestStops, type PageArguments } from './nearest-stops.js';
import { type PlannedTrip, withEntities } from './plan-entities.js';
import type { Resolvers } from './resolvers.js';
import type { Kind, Ref, Session } from './session.js';

/** A root value: what the query reads, and how it plans. */
export interface Root {
  readonly session: Session;
  /** Its very long lists. */
  readonly laterLists: LaterLists;
  readonly plan: (parameters: Readonly<Record<string, unknown>>, options: SearchOptions) => Promise<PlannedTrip>;
}

/** An id that names a feed, checked. */
function qualified(id: string): string {
  if (!id.includes(':')) throw new GraphQLError(`"${id.slice(0, 60)}" is not of the form feed:id`);
  return id;
}

function find<K extends Kind>({ session }: Root, kind: K, id: string): Ref<K> | null {
  const [index = -1] = session.graph.find(kind, [id]);
  return index < 0 ? null : session.one(kind, index);
}

/** One entry per id, null for unknown ones. */
function findAll<K extends Kind>({ session }: Root, kind: K, ids: readonly (string | null)[]) {
  const found = session.graph.find(
    kind,
    ids.map((id) => qualified(id ?? '')),
  );
  const refs = session.refs(kind, Uint32Array.from(found.filter((index) => index >= 0)));
  let next = 0;
  return session.paced(Array.from(found, (index) => (index < 0 ? null : (refs[next++] ?? null))));
}

/** All entities of a kind, or those with the given ids. */
function allOr(kind: 'stops' | 'routes') {
  return (root: Root, { ids }: { ids?: readonly (string | null)[] | null }) =>
    ids ? findAll(root, kind, ids) : root.session.list(kind, root.session.graph.list(kind));
}

const all = (kind: Kind) => (root: Root) => root.session.list(kind, root.session.graph.list(kind));

const KINDS: Readonly<Record<string, Kind>> = {
  Agency: 'agencies',
  Cluster: 'clusters',
  Pattern: 'patterns',
  Route: 'routes',
  Stop: 'stops',
  Trip: 'trips',
};

/** By bare agency_id; the first feed that has it wins. */
function agency(root: Root, id: string): Ref<'agencies'> | null {
  const { graph } = root.session;
  const found = graph.agencies(graph.list('agencies')).find((agency) => agency.id === id);
  return found === undefined ? null : root.session.one('agencies', found.index);
}

/** What a plan, or a search of the streets, counts as in list elements read. */
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

/** Resolvers of the root. */
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
  stopsByBbox: ({ session }: Root, { minLat, minLon, maxLat, maxLon, agency: feed }: BoxArguments) => {
    if (!isNumber(minLat) || !isNumber(minLon) || !isNumber(maxLat) || !isNumber(maxLon)) {
      throw new GraphQLError('all four bounds are needed');
    }
    const stops = session.refs('stops', session.graph.stopsInBox(minLat, minLon, maxLat, maxLon));
    return session.paced(feed ? stops.filter((stop) => isOfFeed(stop, feed)) : stops);
  },
  stopsByRadius: async ({ session }: Root, args: RadiusArguments) => {
    const { lat, lon, radius } = args;
    if (!isNumber(lat) || !isNumber(lon) || !isNumber(radius) || radius < 0) {
      throw new GraphQLError('lat, lon and a radius of at least 0 are needed');
    }
    const { allowance, graph } = session;
    allowance.spend(WALK_COST);
    const near = await allowance.search((options) => graph.stopsWithinWalk(lat, lon, radius, options));
    return nearestStops(session, near, args);
  },
  stop: (root: Root, { id }: ById) => find(root, 'stops', qualified(id)),
  routes: allOr('routes'),
  route: (root: Root, { id }: ById) => find(root, 'routes', qualified(id)),
  trips: all('trips'),
  trip: (root: Root, { id }: ById) => find(root, 'trips', qualified(id)),
  fuzzyTrip: (root: Root, { route: id, direction, date, time }: FuzzyArguments) => {
    const route = find(root, 'routes', qualified(id ?? ''));
    if (route === null) throw new GraphQLError(`there is no route "${String(id).slice(0, 60)}"`);
    if (!isNumber(direction) || !isNumber(time)) {
      throw new GraphQLError('direction and time are needed');
    }
    if (!date || !/^\d{8}$/.test(date)) return null;
    const trip = root.session.graph.fuzzyTrip(route.index, direction, date, time);
    return trip === null || trip === undefined ? null : root.session.one('trips', trip);
  },
  patterns: all('patterns'),
  pattern: (root: Root, { id }: ById) => find(root, 'patterns', id),
  clusters: all('clusters'),
  cluster: (root: Root, { id }: ById) => find(root, 'clusters', id),
  viewer: (root: Root) => root,
  plan: async (root: Root, parameters: Readonly<Record<string, unknown>>) => {
    const { allowance } = root.session;
    allowance.spend(PLAN_COST);
    const { answer, graph } = await allowance.search((options) => root.plan(parameters, options));
    return withEntities(answer, root.session.over(graph));
  },
};
