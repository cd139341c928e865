/** How the field for a place reacts while the user types and chooses. */

import { computed, signal } from '@preact/signals';
import type { RouterApi } from '../api/server.js';
import { isSamePoint, type Place, placeText } from '../state/place.js';
import { t } from '../text/texts.js';
import { problemText } from '../ui/failure.js';
import { isMeantBy, type Offer } from './found-place.js';
import { knowsPosition, myPosition } from './my-position.js';
import { PlaceFinder } from './place-finder.js';

const MY_POSITION: Offer = { category: 'position', place: { lat: 0, lon: 0, name: '' } };

export class PlaceField {
  readonly text = signal('');
  /** Whether the offers may be listed. */
  readonly open = signal(false);
  /** Index of the offer that the arrow keys are on; -1 for none. */
  readonly active = signal(-1);
  /** What is wrong with the text. */
  readonly message = signal('');
  readonly offers = computed<readonly Offer[]>(() => [
    ...this.#finder.shown.value.offers,
    ...(knowsPosition ? [MY_POSITION] : []),
  ]);
  /** Called with the place that was chosen, or without one when the field was cleared. */
  onChange: (place: Place | undefined) => void = () => {};
  readonly #finder: PlaceFinder;
  #chosen: Place | undefined;
  /**
   * The search for the position of the device; undefined if there is none, or if the user has typed or chosen something
   * since.
   */
  #locating: object | undefined;

  constructor(api: RouterApi) {
    this.#finder = new PlaceFinder((text, stopped) => api.placesNamed(text, stopped));
    // Enter must choose the place that was marked, and no other.
    this.#finder.shown.subscribe(() => {
      this.active.value = -1;
    });
  }

  /** Shows a place that was chosen elsewhere. If the place was chosen here, the text that is being typed stays. */
  show(place: Place | undefined): void {
    if (isSamePoint(this.#chosen, place) && this.#chosen?.name === place?.name) return;
    this.#set(place);
  }

  type(written: string): void {
    this.#locating = undefined;
    this.text.value = written;
    this.message.value = '';
    this.open.value = true;
    this.active.value = -1;
    this.#finder.find(written);
  }

  enter(): void {
    this.open.value = this.text.value === '';
  }

  leave(): void {
    this.open.value = false;
    this.#accept();
  }

  clear(): void {
    this.#finder.find('');
    this.#take(undefined);
  }

  /** The keys of a combobox. */
  press(event: KeyboardEvent): void {
    const count = this.offers.value.length;
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault();
      this.open.value = true;
      const by = event.key === 'ArrowDown' ? 1 : -1;
      const from = this.active.value < 0 && by < 0 ? 0 : this.active.value;
      this.active.value = (from + by + count) % count;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const offer = this.open.value ? this.offers.value[this.active.value] : undefined;
      if (offer) this.choose(offer);
      else this.#accept();
    } else if (event.key === 'Escape') {
      this.open.value = false;
    }
  }

  choose(offer: Offer): void {
    if (offer.category !== 'position') return this.#take(offer.place);
    this.open.value = false;
    this.message.value = t('common.findingPosition');
    const own = {};
    this.#locating = own;
    myPosition().then(
      (at) => {
        if (this.#locating === own) this.#take({ ...at, name: t('common.myPosition') });
      },
      () => {
        if (this.#locating !== own) return;
        this.#locating = undefined;
        this.message.value = t('common.noPosition');
      },
    );
  }

  /** The field has left the page. */
  close(): void {
    this.#locating = undefined;
  }

  #take(place: Place | undefined): void {
    this.#set(place);
    this.open.value = false;
    this.onChange(place);
  }

  #set(place: Place | undefined): void {
    this.#locating = undefined;
    this.#chosen = place;
    this.text.value = placeText(place);
    this.message.value = '';
  }

  /** Chooses the place that the text stands for, even when the search for it has not ended yet. */
  async #accept(): Promise<void> {
    const wanted = this.text.value.trim();
    if (wanted === placeText(this.#chosen) || this.#locating) return;
    if (wanted === '') return this.#take(undefined);
    const { offers, problem } = await this.#finder.find(wanted, 0);
    // Enter and leaving the field both accept its text; the place is chosen once.
    if (this.text.value.trim() !== wanted || wanted === placeText(this.#chosen)) return;
    const exact = offers.find(({ place }) => place.name.toLowerCase() === wanted.toLowerCase());
    // The search also finds places with only some of the words.
    const best = exact ?? offers.find(({ place, code }) => code === wanted || isMeantBy(wanted, place.name));
    if (best) this.#take(best.place);
    else this.message.value = problem ? problemText(problem) : t('common.noSuchPlace', { text: wanted });
  }
}
