/** The tool that shows what the graph knows: inspector layers above the map. */

import { RequestFailed, type Server } from '../api/server.js';
import { element, field } from '../dom.js';
import type { TileOverlay } from '../map/tile-overlay.js';
import type { Trip } from '../trip.js';

/** One choice per layer of the server; none when it has no inspector. */
export class LayersPanel {
  readonly root = element('section', {});

  constructor(
    private readonly server: Server,
    private readonly trip: Trip,
    private readonly tiles: TileOverlay,
  ) {
    this.load();
    trip.onChange((change) => {
      if (change === 'router') this.load();
    });
  }

  private async load(): Promise<void> {
    const router = this.trip.router.routerId;
    this.tiles.show(undefined);
    const layers = await this.server.inspectorLayers(router).catch((error: unknown) => {
      if (error instanceof RequestFailed) return [];
      throw error;
    });
    if (router !== this.trip.router.routerId) return;
    if (layers.length === 0) {
      return this.root.replaceChildren(element('p', { class: 'note' }, 'This server offers no layers.'));
    }
    const choice = (name: string, template: string | undefined, checked: boolean) =>
      field(
        name,
        element('input', { type: 'radio', name: 'layer', checked, change: () => this.tiles.show(template) }),
        'check',
      );
    const named = layers.map(({ key, name }) => choice(name, this.server.inspectorTiles(router, key), false));
    const choices = [choice('None', undefined, true), ...named];
    this.root.replaceChildren(
      element('fieldset', {}, element('legend', {}, 'Show on the map'), ...choices),
      element('p', { class: 'note' }, 'Zoom in for labels and directions.'),
    );
  }
}
