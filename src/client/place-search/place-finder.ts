/** Searches places while the user types. */

import { type ReadonlySignal, signal } from '@preact/signals';
import type { FoundPlace } from '../api/answers.js';
import { type Problem, problemOf } from '../api/problem.js';
import { formatCoordinate, parseCoordinate } from '../state/place.js';
import { beginningFirst, isWorthOffering, type Offer, offerOf, withoutRepeats } from './found-place.js';

const QUIET_MS = 120;
const LEAST_LETTERS = 2;
const MOST_OFFERS = 8;

interface Offers {
  readonly text: string;
  readonly offers: readonly Offer[];
  /** Why the search by name has no answer. */
  readonly problem?: Problem;
}

const NONE: Offers = { text: '', offers: [] };

/** Offers for the latest text. */
export class PlaceFinder {
  readonly #shown = signal<Offers>(NONE);
  #latest: { text: string; offers: Promise<Offers> } = { text: '', offers: Promise.resolve(NONE) };
  #stop = new AbortController();

  constructor(private readonly placesNamed: (text: string, signal: AbortSignal) => Promise<FoundPlace[]>) {}

  /** The offers for the latest text that has an answer. */
  get shown(): ReadonlySignal<Offers> {
    return this.#shown;
  }

  /** The offers for a text. A text that was searched just before, or is being searched, is not requested again. */
  find(text: string, quietMs = QUIET_MS): Promise<Offers> {
    const wanted = text.trim();
    if (wanted !== this.#latest.text) {
      this.#stop.abort();
      this.#stop = new AbortController();
      this.#latest = { text: wanted, offers: this.#look(wanted, quietMs, this.#stop.signal) };
    }
    return this.#latest.offers;
  }

  async #look(text: string, quietMs: number, stopped: AbortSignal): Promise<Offers> {
    const found = await this.#offers(text, quietMs, stopped);
    if (!stopped.aborted) this.#shown.value = found;
    return found;
  }

  async #offers(text: string, quietMs: number, stopped: AbortSignal): Promise<Offers> {
    const at = parseCoordinate(text);
    if (at) return { text, offers: [{ category: 'coordinate', place: { ...at, name: formatCoordinate(at) } }] };
    if (text.length < LEAST_LETTERS) return { text, offers: [] };
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    if (stopped.aborted) return { text, offers: [] };
    try {
      const found = await this.placesNamed(text, stopped);
      const offers = withoutRepeats(found.map(offerOf).filter(isWorthOffering));
      return { text, offers: beginningFirst(offers, text).slice(0, MOST_OFFERS) };
    } catch (error) {
      // The next search for the same text is a new request.
      if (!stopped.aborted) this.#latest = { text: '', offers: Promise.resolve(NONE) };
      return { text, offers: [], problem: problemOf(error) };
    }
  }
}
