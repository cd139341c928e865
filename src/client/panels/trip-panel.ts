/** The tool that plans trips. */

import type { Itinerary } from '../api/answers.js';
import type { Server } from '../api/server.js';
import { element, field } from '../dom.js';
import type { ItineraryLayer } from '../map/itinerary-layer.js';
import { coordinate } from '../text/format.js';
import type { End, Trip } from '../trip.js';
import { itineraryLegs, itinerarySummary } from './itinerary-view.js';
import { PlaceField } from './place-field.js';
import { SearchRun, tell } from './search-run.js';
import { TravelMode } from './travel-mode.js';
import { TripOptions } from './trip-options.js';
import { When } from './when.js';

/** The form and its results. */
export class TripPanel {
  readonly root: HTMLElement;
  private readonly when = new When(true);
  private readonly mode = new TravelMode();
  private readonly options = new TripOptions();
  private readonly results = element('ol', { class: 'itineraries', 'aria-label': 'Itineraries' });
  private readonly search = new SearchRun();

  /** @param onPick called when an end is to be picked on the map. */
  constructor(
    private readonly server: Server,
    private readonly trip: Trip,
    private readonly layer: ItineraryLayer,
    onPick: (end: End) => void,
  ) {
    const fields = (['from', 'to'] as const).map((end) => new PlaceField(end, server, trip, onPick).root);
    const swap = element('button', { type: 'button', class: 'quiet', click: () => trip.swap() }, 'Swap ends');
    const form = element(
      'form',
      {
        submit: (event) => {
          event.preventDefault();
          this.plan();
        },
      },
      ...fields,
      swap,
      field('Travel by', this.mode.root),
      this.when.root,
      this.options.root,
      element('button', { type: 'submit', class: 'go' }, 'Plan trip'),
    );
    this.root = element('section', {}, form, this.results);
    this.startRouter();
    trip.onChange((change) => {
      this.forget();
      if (change === 'router') this.startRouter();
      else if (trip.spot('from') && trip.spot('to')) this.plan();
    });
  }

  /** Plans when both ends are known. */
  plan(): Promise<void> {
    const from = this.trip.spot('from');
    const to = this.trip.spot('to');
    if (!from || !to) {
      tell('Choose a start and a destination.');
      return Promise.resolve();
    }
    const query = new URLSearchParams({
      fromPlace: coordinate(from),
      toPlace: coordinate(to),
      showIntermediateStops: 'true',
    });
    for (const part of [this.mode, this.when, this.options]) part.write(query);
    return this.search.run(async (signal) => {
      const { plan, error } = await this.server.plan(this.trip.router.routerId, query, signal);
      this.show(plan?.itineraries ?? []);
      const count = plan?.itineraries.length ?? 0;
      return error ? error.msg : `${count} ${count === 1 ? 'itinerary' : 'itineraries'}`;
    });
  }

  private startRouter(): void {
    this.when.start(this.trip.router);
    this.mode.start(this.trip.router);
  }

  private forget(): void {
    this.search.stop();
    this.show([]);
    tell('');
  }

  private show(itineraries: readonly Itinerary[]): void {
    const buttons: HTMLButtonElement[] = [];
    const items = itineraries.map((itinerary, index) => {
      const id = `itinerary-${index}`;
      const legs = element('div', { id }, itineraryLegs(itinerary));
      const choose = () => this.choose(itineraries, index, buttons);
      const button = element(
        'button',
        { type: 'button', 'aria-controls': id, click: choose },
        itinerarySummary(itinerary),
      );
      buttons.push(button);
      return element('li', {}, button, legs);
    });
    this.results.replaceChildren(...items);
    this.choose(itineraries, 0, buttons);
  }

  /** Expands one itinerary and draws its lines. */
  private choose(itineraries: readonly Itinerary[], chosen: number, buttons: readonly HTMLButtonElement[]): void {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-expanded', String(index === chosen));
      button.nextElementSibling?.toggleAttribute('hidden', index !== chosen);
    }
    const itinerary = itineraries[chosen];
    if (itinerary) this.layer.show(itinerary);
    else this.layer.clear();
  }
}
