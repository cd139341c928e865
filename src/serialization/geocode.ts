/** Places by name as the interface shows them. */

import type { FoundPlace } from '../native/types.js';

/** The list; the description ends in a blank when there is no code, and ids of stops have an underscore. */
export function presentPlaces(places: readonly FoundPlace[]) {
  return places.map(({ category, name, code, id, lat, lon }) => ({
    lat,
    lng: lon,
    description: `${category} ${name} ${code === undefined ? '' : `(${code})`}`,
    ...(id === undefined ? {} : { id: category === 'stop' ? id.replace(':', '_') : id }),
  }));
}
