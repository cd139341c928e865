/** The field of one end of the trip: a coordinate, or a name that the geocoder finds. */

import type { FoundPlace } from '../api/answers.js';
import type { Server } from '../api/server.js';
import { element } from '../dom.js';
import { coordinate, parseCoordinate } from '../text/format.js';
import type { End, Spot, Trip } from '../trip.js';

const QUIET_MS = 200;
const LEAST_LETTERS = 2;
const LABELS: Readonly<Record<End, string>> = { from: 'From', to: 'To' };

/** A text field with suggestions and a button that picks the place on the map. */
export class PlaceField {
  readonly root: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly suggestions: HTMLDataListElement;
  private found: readonly FoundPlace[] = [];
  private searching = new AbortController();
  private timer: number | undefined;

  constructor(
    private readonly end: End,
    private readonly server: Server,
    private readonly trip: Trip,
    onPick: (end: End) => void,
  ) {
    const id = `place-${end}`;
    this.suggestions = element('datalist', { id: `${id}-found` });
    this.input = element('input', {
      id,
      type: 'text',
      list: `${id}-found`,
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: 'Stop, place, address or lat,lon',
      input: () => this.searchSoon(),
      change: () => this.accept(),
    });
    const pick = element(
      'button',
      { type: 'button', class: 'pick', title: 'Pick on the map', click: () => onPick(end) },
      'Pick',
      element('span', { class: 'unseen' }, ` ${LABELS[end].toLowerCase()} on the map`),
    );
    this.root = element(
      'div',
      { class: 'place' },
      element('label', { for: id }, LABELS[end]),
      this.input,
      pick,
      this.suggestions,
    );
    trip.onChange((change) => {
      if (change === end || change === 'router') this.show(trip.spot(end));
    });
    this.show(trip.spot(end));
  }

  private show(spot: Spot | undefined): void {
    this.input.value = spot ? (spot.name ?? coordinate(spot)) : '';
    this.input.setCustomValidity('');
  }

  /** A name is valid when the geocoder has offered it; the only offer, or an exact one, is taken. */
  private accept(): void {
    const text = this.input.value.trim();
    const named = this.found.find(({ description }) => placeName(description) === text);
    const chosen = named ?? (this.found.length === 1 ? this.found[0] : undefined);
    const spot = parseCoordinate(text) ?? (chosen && { lat: chosen.lat, lon: chosen.lng, name: text });
    if (spot || text === '') return this.trip.setSpot(this.end, spot);
    this.input.setCustomValidity('No such place. Choose a suggestion, write lat,lon, or pick it on the map.');
    this.input.reportValidity();
  }

  private searchSoon(): void {
    this.input.setCustomValidity('');
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.search(), QUIET_MS);
  }

  private async search(): Promise<void> {
    this.searching.abort();
    this.searching = new AbortController();
    const text = this.input.value.trim();
    if (text.length < LEAST_LETTERS || parseCoordinate(text)) return;
    try {
      this.found = await this.server.search(this.trip.router.routerId, text, this.searching.signal);
    } catch {
      // Without a geocoder, or after more typing, nothing changes: coordinates and the map still work.
      return;
    }
    this.suggestions.replaceChildren(
      ...this.found.map(({ description }) => element('option', { value: placeName(description) })),
    );
  }
}

/** The description without its category in front. */
function placeName(description: string): string {
  return description.replace(/^(stop|cluster|corner|place|address) /, '').trim();
}
