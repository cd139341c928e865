/** How requests and settings name routes, stops and trips. */

import type { RouteSpec } from './types.js';

/** A way to name something. */
export interface Naming<T> {
  /** What a text names; undefined for a text of another form. */
  read(text: string): T | undefined;
  /** The form, for messages. */
  readonly form: string;
}

/** A route by its id or name. */
export const ROUTE_NAMING: Naming<RouteSpec> = {
  read: readRouteSpec,
  form: 'feed__routeId, feed_routeName or _routeName',
};

/** The id of a stop. */
export const STOP_NAMING: Naming<string> = {
  read: (text) => (text.includes(':') ? text : undefined),
  form: 'feed:stop',
};

/** The stop or trip where a plan begins, as an id `feed:entity`. The first underscore ends the feed. */
export const START_NAMING: Naming<string> = {
  read: (text) => (text.includes('_') ? text.replace('_', ':') : undefined),
  form: 'feed_id',
};

/** Longest list that is accepted; limits the work of one request. */
export const MOST_ELEMENTS = 10_000;

/** `\_` is an underscore in a part. */
function readRouteSpec(text: string): RouteSpec | undefined {
  const [feed = '', name, ...rest] = text.split(/(?<!\\)_/);
  const plain = (part: string) => part.replaceAll('\\_', '_');
  const routeId = plain(rest.join('_'));
  const byId = feed !== '' && name === '' && routeId !== '';
  const byName = name !== undefined && name !== '' && rest.length === 0;
  return byId || byName ? { feed: plain(feed), name: plain(name).replaceAll('_', ' '), routeId } : undefined;
}
