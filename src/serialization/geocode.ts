/** Places by name as the interface shows them. */

import type { AddressAnswer } from '../geocoding/external-geocoder.js';
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

/** What the configured geocoders found. */
export function presentAddresses({ found, failure }: AddressAnswer) {
  return failure === undefined ? { results: found, count: found.length } : { error: failure, count: 0 };
}

/** A name as text with the blanks that clients of the interface know; empty when there is none. */
export function presentMunicipality(name: string | undefined): string {
  return name === undefined ? '{}' : `{ "name" : ${JSON.stringify(name)} }`;
}
