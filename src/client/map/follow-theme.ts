/** The style of a map in the theme of the page. */

import { effect } from '@preact/signals';
import type { BaseMap, RouterApi } from '../api/server.js';
import { theme } from '../state/preferences.js';
import { styleOf } from './base-map.js';
import type { MapView } from './map-view.js';
import { AGAIN_MS } from './retried-tiles.js';

/**
 * Shows the base map with the routes and stops of a router, again for each other theme. Until the server answers, it is
 * asked again and again. Returns a function that ends this.
 */
export function followTheme(view: MapView, api: RouterApi, base: BaseMap | undefined): () => void {
  return effect(() => {
    const shown = theme.value;
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () =>
      styleOf(api, base, shown)
        // The panels work without a base map, and report problems of the server.
        .catch(() => undefined)
        .then((style) => {
          if (!isWanted) return;
          view.setStyle(style, shown);
          if (style === undefined) timer = setTimeout(ask, AGAIN_MS);
        });
    ask();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  });
}
