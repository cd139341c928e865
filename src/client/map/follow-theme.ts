/** The style of a map in the theme of the page, or in that of paper. */

import { effect } from '@preact/signals';
import type { StyleSpecification } from 'maplibre-gl';
import { isRefused, retryPause } from '../api/problem.js';
import type { BaseMap, RouterApi } from '../api/server.js';
import { mapTheme } from '../state/preferences.js';
import { styleOf } from './base-map.js';
import type { MapView } from './map-view.js';

/**
 * Shows the base map with the routes and stops of a router, again for each other theme. A server that fails to send
 * the style is asked again and again, after longer and longer pauses, unless it refuses. Returns a function that ends
 * this.
 */
export function followTheme(view: MapView, api: RouterApi, base: BaseMap | undefined): () => void {
  return effect(() => {
    const shown = mapTheme.value;
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (style?: StyleSpecification) => {
      if (isWanted) view.setStyle(style, shown);
    };
    const ask = (failures: number) =>
      styleOf(api, base, shown).then(show, (error: object) => {
        // The panels work without a base map, and report problems of the server.
        if (failures === 0) show();
        if (isWanted && !isRefused(error)) timer = setTimeout(ask, retryPause(failures + 1), failures + 1);
      });
    void ask(0);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  });
}
