/** How to travel: the combinations that a router offers. */

import type { RouterInfo } from '../api/answers.js';
import { element } from '../dom.js';
import { travelOption } from '../text/format.js';

/** The selection of the modes. */
export class TravelMode {
  readonly root = element('select', { name: 'mode' });

  /** Offers the router's combinations, the usual one first. */
  start(router: RouterInfo): void {
    const options = router.travelOptions.map(({ value, name }) => element('option', { value }, travelOption(name)));
    this.root.replaceChildren(...options);
  }

  /** Adds the parameter of the interface. */
  write(query: URLSearchParams): void {
    query.set('mode', this.root.value);
  }
}
