/** Places by name as the interface shows them. */

import type { AddressAnswer } from '../geocoding/external-geocoder.js';
import type { FoundPlace } from '../native/types.js';
import type { Addresses, FoundPlaces } from './answers/index.js';
import type { Written } from './written.js';

/** The list. Descriptions without a code end in a blank, and ids of stops have an underscore instead of a colon. */
export function presentPlaces(places: readonly FoundPlace[]): Written<FoundPlaces> {
  return places.map(({ category, name, code, id, lat, lon }) => ({
    lat,
    lng: lon,
    description: `${category} ${name} ${code === undefined ? '' : `(${code})`}`,
    ...(id === undefined ? {} : { id: category === 'stop' ? id.replace(':', '_') : id }),
  }));
}

/** The results of the configured geocoders. */
export function presentAddresses({ found, failure }: AddressAnswer): Written<Addresses> {
  return failure === undefined ? { results: found, count: found.length } : { error: failure, count: 0 };
}

/** A name as JSON, with the blanks that clients of the interface expect; empty when there is none. */
export function presentMunicipality(name: string | undefined): string {
  return name === undefined ? '{}' : `{ "name" : ${JSON.stringify(name)} }`;
}
