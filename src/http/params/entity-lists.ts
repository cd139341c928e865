/** Parameters that name routes, stops and trips. */

import { elementsOf } from '../../comma-list.js';
import { MOST_ELEMENTS, type Naming, ROUTE_NAMING, START_NAMING, STOP_NAMING } from '../../native/entity-names.js';
import { quoted } from '../../quoted.js';
import { BadParameter } from './bad-parameter.js';

/** The non-empty elements of a comma list. */
export function listElements(text: string, parameter: string): string[] {
  const elements = elementsOf(text);
  if (elements.length > MOST_ELEMENTS) throw new BadParameter(parameter, `more than ${MOST_ELEMENTS} elements`);
  return elements;
}

/** Route specifications. */
export const parseRouteSpecs = listOf(ROUTE_NAMING);

/** Stop ids `feed:stop`. */
export const parseStopIds = listOf(STOP_NAMING);

/** An id `feed_entity` in the form `feed:entity`. */
export const parseUnderscoreId = oneOf(START_NAMING);

function listOf<T>(naming: Naming<T>): (text: string, parameter: string) => T[] {
  const read = oneOf(naming);
  return (text, parameter) => listElements(text, parameter).map((element) => read(element, parameter));
}

function oneOf<T>({ read, form }: Naming<T>): (text: string, parameter: string) => T {
  return (text, parameter) => {
    const named = read(text);
    if (named === undefined) throw new BadParameter(parameter, `${quoted(text)} is not ${form}`);
    return named;
  };
}
