import type { RouteSpec } from './types.js';

/** Reads `feed__routeId`, `feed_routeName` or `_routeName`; `\_` is an underscore in a part. Undefined for other texts. */
export function readRouteSpec(text: string): RouteSpec | undefined {
  const [feed = '', name, ...rest] = text.split(/(?<!\\)_/);
  const plain = (part: string) => part.replaceAll('\\_', '_');
  const routeId = plain(rest.join('_'));
  const byId = feed !== '' && name === '' && routeId !== '';
  const byName = name !== undefined && name !== '' && rest.length === 0;
  return byId || byName ? { feed: plain(feed), name: plain(name).replaceAll('_', ' '), routeId } : undefined;
}
