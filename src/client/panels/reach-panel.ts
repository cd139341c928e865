/** The tool that shows what can be reached: isochrones, and surfaces when the server keeps them. */

import type { Server } from '../api/server.js';
import { element, field } from '../dom.js';
import { type IsochroneLayer, isochroneColor } from '../map/isochrone-layer.js';
import type { TileOverlay } from '../map/tile-overlay.js';
import { coordinate } from '../text/format.js';
import type { Trip } from '../trip.js';
import { SearchRun, tell } from './search-run.js';
import { TravelMode } from './travel-mode.js';
import { When } from './when.js';

/** Minutes on offer, and those chosen at first. */
const CUTOFFS = [10, 20, 30, 45, 60, 90];
const USUAL = new Set([10, 20, 30]);
const SURFACE_MINUTES = 90;

/** The form, its buttons and the legend. */
export class ReachPanel {
  readonly root: HTMLElement;
  private readonly when = new When(false);
  private readonly mode = new TravelMode();
  private readonly cutoffs = CUTOFFS.map((minutes) =>
    element('input', { type: 'checkbox', name: 'cutoff', value: minutes, checked: USUAL.has(minutes) }),
  );
  private readonly legend = element('ul', { class: 'legend', 'aria-label': 'Legend' });
  private readonly surface = element('button', { type: 'button', hidden: true, click: () => this.showSurface() });
  private readonly search = new SearchRun();

  constructor(
    private readonly server: Server,
    private readonly trip: Trip,
    private readonly isochrones: IsochroneLayer,
    private readonly tiles: TileOverlay,
  ) {
    this.surface.append('Travel times as a surface');
    const boxes = this.cutoffs.map((box) => field(`${box.value} min`, box, 'check'));
    const form = element(
      'form',
      {
        submit: (event) => {
          event.preventDefault();
          this.showIsochrones();
        },
      },
      element('p', { class: 'note' }, 'From the start A. Click the map to move it, or set it in the trip form.'),
      field('Travel by', this.mode.root),
      this.when.root,
      element('fieldset', { class: 'cutoffs' }, element('legend', {}, 'Within'), ...boxes),
      element('button', { type: 'submit', class: 'go' }, 'Show isochrones'),
      this.surface,
      element('button', { type: 'button', class: 'quiet', click: () => this.clear() }, 'Clear'),
    );
    this.root = element('section', {}, form, this.legend);
    this.startRouter();
    trip.onChange((change) => {
      if (change === 'to') return;
      this.clear();
      if (change === 'router') this.startRouter();
    });
  }

  /** Requests one isochrone per chosen cutoff. */
  showIsochrones(): Promise<void> {
    const minutes = this.cutoffs.filter(({ checked }) => checked).map(({ value }) => Number(value));
    const query = this.query();
    if (!query || minutes.length === 0) return Promise.resolve(tell('Choose a start and at least one time.'));
    for (const cutoff of minutes) query.append('cutoffSec', String(cutoff * 60));
    return this.search.run(async (signal) => {
      const answer = await this.server.isochrones(this.trip.router.routerId, query, signal);
      this.tiles.show(undefined);
      this.isochrones.show(answer);
      this.legend.replaceChildren(...minutes.map((cutoff, index) => legendItem(cutoff, index, minutes.length)));
      return `${answer.features.length} isochrones`;
    });
  }

  /** Makes the server keep the travel times to everywhere, and shows them as tiles. */
  private showSurface(): Promise<void> {
    const query = this.query();
    if (!query) return Promise.resolve(tell('Choose a start.'));
    query.set('batch', 'true');
    query.set('routerId', this.trip.router.routerId);
    query.set('cutoffMinutes', String(SURFACE_MINUTES));
    return this.search.run(async (signal) => {
      const id = await this.server.createSurface(query, signal);
      this.isochrones.clear();
      this.tiles.show(this.server.surfaceTiles(id), 0.7);
      const picture = element('img', { src: this.server.legend(), alt: 'Colours of the travel times in minutes' });
      this.legend.replaceChildren(element('li', {}, picture));
      return 'Travel times in minutes';
    });
  }

  private query(): URLSearchParams | undefined {
    const from = this.trip.spot('from');
    if (!from) return undefined;
    const query = new URLSearchParams({ fromPlace: coordinate(from) });
    this.mode.write(query);
    this.when.write(query);
    return query;
  }

  private startRouter(): void {
    this.when.start(this.trip.router);
    this.mode.start(this.trip.router);
    this.server.hasSurfaces().then((has) => this.surface.toggleAttribute('hidden', !has));
  }

  private clear(): void {
    this.search.stop();
    this.isochrones.clear();
    this.tiles.show(undefined);
    this.legend.replaceChildren();
  }
}

function legendItem(minutes: number, index: number, count: number): HTMLElement {
  const swatch = element('span', { class: 'swatch' });
  swatch.style.background = isochroneColor(index, count);
  return element('li', {}, swatch, `${minutes} min`);
}
