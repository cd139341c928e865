/** Less common options of a trip. */

import { element, field } from '../dom.js';

/** Walking distances on offer, metres; empty for the router's default. */
const WALKS = ['', '500', '1000', '2000', '5000'];
const OPTIMIZE = [
  ['QUICK', 'Fast'],
  ['SAFE', 'Safe'],
  ['FLAT', 'Flat'],
  ['GREENWAYS', 'Greenways'],
] as const;

/** The folded options of the trip form. */
export class TripOptions {
  readonly root: HTMLDetailsElement;
  private readonly wheelchair = element('input', { type: 'checkbox', name: 'wheelchair' });
  private readonly fewTransfers = element('input', { type: 'checkbox', name: 'fewTransfers' });
  private readonly count = element('input', { type: 'number', name: 'numItineraries', min: 1, max: 10, value: 3 });
  private readonly walk: HTMLSelectElement;
  private readonly optimize: HTMLSelectElement;

  constructor() {
    const walks = WALKS.map((metres) =>
      element('option', { value: metres }, metres === '' ? 'Default' : `${metres} m`),
    );
    this.walk = element('select', { name: 'maxWalkDistance' }, ...walks);
    const goals = OPTIMIZE.map(([value, name]) => element('option', { value }, name));
    this.optimize = element('select', { name: 'optimize' }, ...goals);
    this.root = element(
      'details',
      { class: 'options' },
      element('summary', {}, 'Options'),
      element(
        'div',
        { class: 'row' },
        field('Longest walk', this.walk),
        field('Cycle routes', this.optimize),
        field('Results', this.count),
      ),
      field('Wheelchair accessible', this.wheelchair, 'check'),
      field('Fewer transfers', this.fewTransfers, 'check'),
    );
  }

  /** Adds the parameters of the interface that differ from its defaults. */
  write(query: URLSearchParams): void {
    if (this.wheelchair.checked) query.set('wheelchair', 'true');
    if (this.walk.value !== '') query.set('maxWalkDistance', this.walk.value);
    if (this.optimize.value !== 'QUICK') query.set('optimize', this.optimize.value);
    // Each further boarding counts as ten minutes more in a vehicle.
    if (this.fewTransfers.checked) query.set('transferPenalty', '600');
    query.set('numItineraries', this.count.value || '3');
  }
}
