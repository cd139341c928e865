/** Places that the server's search by name finds. */

import type { FoundPlace } from '../api/answers.js';
import { areOnePlace, type Place } from '../state/place.js';

/** The kinds of places. */
const CATEGORIES = ['stop', 'cluster', 'corner', 'place', 'address', 'coordinate', 'position'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Offer {
  readonly category: Category;
  readonly place: Place & { readonly name: string };
  /** Code of a stop. */
  readonly code?: string;
}

/** The parts of the description, which the interface writes as `stop Main Street (1234)`. */
export function offerOf({ lat, lng, description }: FoundPlace): Offer {
  const [, word = '', rest = description] = /^(\w+) (.*)$/s.exec(description) ?? [];
  const category = CATEGORIES.find((known) => known === word);
  const text = (category === undefined ? description : rest).trim();
  const [, name = text, code] = category === 'stop' ? (/^(.*?) \(([^()]*)\)$/s.exec(text) ?? []) : [];
  return { category: category ?? 'place', place: { lat, lon: lng, name }, code };
}

/** What the server calls a street without a name: its kind, in English whatever the reader speaks. */
const KIND_OF_STREET = /^[a-z ]+$/;

/** Whether people could mean it: a corner with a street that has no name, `parking aisle & road`, is nothing to look for. */
export function isWorthOffering({ category, place }: Offer): boolean {
  return category !== 'corner' || !place.name.split(' & ').some((street) => KIND_OF_STREET.test(street));
}

/**
 * Stops of one name, for example on both sides of a street, are offered once, at the position of the first. Its code is
 * left out, unless stops elsewhere have the same name.
 */
export function withoutRepeats(offers: readonly Offer[]): Offer[] {
  const areOne = (one: Offer, other: Offer) => one.category === other.category && areOnePlace(one.place, other.place);
  const places = offers.filter((offer, i) => !offers.slice(0, i).some((earlier) => areOne(earlier, offer)));
  const share = (one: Offer, other: Offer) =>
    one.category === other.category &&
    one.place.name.localeCompare(other.place.name, undefined, { sensitivity: 'base' }) === 0;
  return places.map((offer) => {
    const isAlone = offers.filter((other) => areOne(offer, other)).length === 1;
    const isNamesake = places.some((other) => other !== offer && share(offer, other));
    return isAlone || isNamesake ? offer : { ...offer, code: undefined };
  });
}

/**
 * Names that begin with the text come first, otherwise as the server lists them: it counts the words that names share
 * with the text, and the name of a corner of two streets has many words.
 */
export function beginningFirst(offers: readonly Offer[], text: string): Offer[] {
  const wanted = words(text).join(' ');
  const begins = ({ place }: Offer) => Number(words(place.name).join(' ').startsWith(wanted));
  return offers.toSorted((one, other) => begins(other) - begins(one));
}

/** Whether a text stands for a place of this name: each of its words begins a word of the name; accents are ignored. */
export function isMeantBy(text: string, name: string): boolean {
  const ofName = words(name);
  return words(text).every((wanted) => ofName.some((word) => word.startsWith(wanted)));
}

function words(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
