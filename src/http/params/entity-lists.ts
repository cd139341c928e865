/** Parameters that name routes and stops. */

import { readRouteSpec } from '../../native/route-spec.js';
import type { RouteSpec } from '../../native/types.js';
import { BadParameter, quoted } from './bad-parameter.js';

/** Longest list that is accepted; limits the work of one request. */
const MAX_ELEMENTS = 10_000;

/** The non-empty elements of a comma list. */
export function listElements(text: string, parameter: string): string[] {
  const elements = text.split(',').filter((element) => element !== '');
  if (elements.length > MAX_ELEMENTS) throw new BadParameter(parameter, `more than ${MAX_ELEMENTS} elements`);
  return elements;
}

/** Route specifications, as {@link readRouteSpec} reads them. */
export function parseRouteSpecs(text: string, parameter: string): RouteSpec[] {
  return listElements(text, parameter).map((element) => parseRouteSpec(element, parameter));
}

function parseRouteSpec(element: string, parameter: string): RouteSpec {
  const spec = readRouteSpec(element);
  if (spec !== undefined) return spec;
  throw new BadParameter(parameter, `${quoted(element)} is not feed__routeId, feed_routeName or _routeName`);
}

/** Stop ids `feed:stop`. */
export function parseStopIds(text: string, parameter: string): string[] {
  const ids = listElements(text, parameter);
  const withoutFeed = ids.find((id) => !id.includes(':'));
  if (withoutFeed !== undefined) throw new BadParameter(parameter, `${quoted(withoutFeed)} is not feed:stop`);
  return ids;
}

/** An id `feed_entity`, split at the first underscore, in the form `feed:entity`. */
export function parseUnderscoreId(text: string, parameter: string): string {
  const at = text.indexOf('_');
  if (at < 0) throw new BadParameter(parameter, `${quoted(text)} is not feed_id`);
  return `${text.slice(0, at)}:${text.slice(at + 1)}`;
}
