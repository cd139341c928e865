/** The tool that shows the graph: inspector layers above the map, and rental stations. */

import { RequestFailed, type Server } from '../api/server.js';
import { element, field } from '../dom.js';
import type { RentalLayer } from '../map/rental-layer.js';
import type { TileOverlay } from '../map/tile-overlay.js';
import type { Trip } from '../trip.js';

/** One choice per layer of the server; none when it has no inspector. */
export class LayersPanel {
  readonly root = element('section', {});

  constructor(
    private readonly server: Server,
    private readonly trip: Trip,
    private readonly tiles: TileOverlay,
    private readonly rental: RentalLayer,
  ) {
    this.load();
    trip.onChange((change) => {
      if (change === 'router') this.load();
    });
  }

  private async load(): Promise<void> {
    const router = this.trip.router.routerId;
    this.tiles.show(undefined);
    this.rental.toggle(false);
    const [layers, stations] = await Promise.all([
      this.server.inspectorLayers(router).catch(noneIfRefused),
      this.server.rentalStations(router).catch(noneIfRefused),
    ]);
    if (router !== this.trip.router.routerId) return;
    this.rental.draw(stations);
    const parts = [
      ...(layers.length > 0 ? [this.layerChoices(router, layers)] : []),
      ...(stations.length > 0 ? [this.rentalChoice(stations.length)] : []),
    ];
    const nothing = element('p', { class: 'note' }, 'This server offers no layers.');
    this.root.replaceChildren(...(parts.length > 0 ? parts : [nothing]));
  }

  private layerChoices(router: string, layers: ReadonlyArray<{ key: string; name: string }>): HTMLElement {
    const choice = (name: string, template: string | undefined) => {
      const show = () => this.tiles.show(template);
      const checked = template === undefined;
      return field(name, element('input', { type: 'radio', name: 'layer', checked, change: show }), 'check');
    };
    const named = layers.map(({ key, name }) => choice(name, this.server.inspectorTiles(router, key)));
    return element(
      'fieldset',
      {},
      element('legend', {}, 'Show on the map'),
      choice('None', undefined),
      ...named,
      element('p', { class: 'note' }, 'Zoom in for labels and directions.'),
    );
  }

  private rentalChoice(count: number): HTMLElement {
    const box = element('input', { type: 'checkbox', change: () => this.rental.toggle(box.checked) });
    return field(`Rental stations (${count})`, box, 'check');
  }
}

/** A server without the resource has nothing to show. */
function noneIfRefused(error: unknown): [] {
  if (error instanceof RequestFailed) return [];
  throw error;
}
