/** The map: the server's style in the theme of the page, and the overlays of the panels over it. */

import type { GeoJSON } from 'geojson';
import {
  type GeoJSONSource,
  type LayerSpecification,
  type LngLatBoundsLike,
  Map as MapLibreMap,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { calm, type Theme } from '../state/preferences.js';
import type { Bounds } from './bounds.js';
import { inOrder } from './layer-order.js';
import type { Overlay } from './overlay.js';
import { retryTiles } from './retried-tiles.js';
import { namesToTurn, withNamesTurned } from './turned-names.js';
import { withoutNames } from './without-names.js';

/** The second file of the map library, beside the page's script; the page policy allows no scripts made in the page. */
setWorkerUrl(new URL('map-worker.js', document.baseURI).href);

const LARGEST_FIT_ZOOM = 17;
/** Share of the map's width or height below which an area is too small to be looked at. */
const LEAST_SHARE = 0.5;
/** So little that lines which share a street are faint together, too. */
const QUIET_OPACITY = 0.1;

/** The style without a base map, under the overlays. */
const EMPTY: StyleSpecification = { version: 8, sources: {}, layers: [] };

/** Pixels at the edges of the map that other things cover. */
export interface Covered {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** A map in an element, which is marked as busy until the map has drawn everything. */
export class MapView {
  /** For listeners and queries; panels draw by overlays. */
  readonly map: MapLibreMap;
  readonly #overlays = new Map<string, Overlay>();
  readonly #data = new Map<string, GeoJSON>();
  #style: StyleSpecification | undefined;
  #theme: Theme = 'light';
  #quiet = false;
  /** Ids of stops whose names the style does not draw. */
  #unnamed: readonly string[] = [];
  /** Ids of stops whose names are at their left. */
  #turned: readonly string[] = [];
  #isRemoved = false;
  /** Whether the map shows what it showed at first, and was not clicked. */
  #isFresh = true;
  readonly #stopRetrying: () => void;

  constructor(
    container: HTMLElement,
    bounds: LngLatBoundsLike,
    /** May change. */
    public covered: Covered,
  ) {
    this.map = new MapLibreMap({
      container,
      bounds,
      fitBoundsOptions: { padding: covered, maxZoom: LARGEST_FIT_ZOOM },
      style: EMPTY,
      maxZoom: 20,
      attributionControl: { compact: false },
      pitchWithRotate: false,
      fadeDuration: calm.matches ? 0 : 150,
      // The page has its own way to share a place, and its own texts.
      hash: false,
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.#sayWhenBusy(container);
    for (const event of ['movestart', 'click'] as const) {
      this.map.once(event, () => {
        this.#isFresh = false;
      });
    }
    this.#stopRetrying = retryTiles(this.map);
  }

  /** Shows this style below the overlays; if there is none, the previous style stays, or the overlays alone. */
  setStyle(style: StyleSpecification | undefined, theme: Theme): void {
    this.#style = style ?? this.#style ?? EMPTY;
    this.#theme = theme;
    this.#draw();
    // For an equal style the map would draw nothing and stay busy.
    this.map.triggerRepaint();
  }

  /** Ends the map. Later calls, by panels that are removed and by answers that arrive late, do nothing. */
  remove(): void {
    this.#isRemoved = true;
    this.#stopRetrying();
    this.map.remove();
  }

  /** Adds an overlay above the earlier ones. Returns a function that removes it. */
  add(overlay: Overlay): () => void {
    this.#overlays.set(overlay.id, overlay);
    this.#draw();
    return () => this.#remove(overlay);
  }

  /** Sets the features of a GeoJSON source of an overlay. */
  setData(source: string, data: GeoJSON): void {
    this.#data.set(source, data);
    this.map.getSource<GeoJSONSource>(source)?.setData(data);
  }

  /** Moves the map so that an area is visible beside the parts that are covered. */
  fit(bounds: LngLatBoundsLike, { maxZoom = LARGEST_FIT_ZOOM } = {}): void {
    this.map.fitBounds(bounds, { padding: this.covered, maxZoom, animate: !calm.matches, duration: 500 });
  }

  /**
   * The same, unless the area is already visible and not much smaller than it could be. A map that nobody has used yet
   * moves in any case, to show the trip of a link as large as it can be.
   */
  fitUnlessSeen(bounds: Bounds): void {
    if (this.#isFresh || !this.#shows(bounds)) this.fit(bounds);
  }

  #shows([west, south, east, north]: Bounds): boolean {
    const [a, b] = [this.map.project([west, north]), this.map.project([east, south])];
    const { top, right, bottom, left } = this.covered;
    const { clientWidth, clientHeight } = this.map.getContainer();
    const [width, height] = [clientWidth - left - right, clientHeight - top - bottom];
    const isInside = a.x >= left && b.x <= left + width && a.y >= top && b.y <= top + height;
    const share = Math.max((b.x - a.x) / width, (b.y - a.y) / height);
    return isInside && (share >= LEAST_SHARE || this.map.getZoom() >= LARGEST_FIT_ZOOM);
  }

  /** Draws the routes and stops of the style faintly, so that lines over them stand out; or as usual again. */
  quietTransit(quiet: boolean): void {
    if (quiet === this.#quiet) return;
    this.#quiet = quiet;
    this.#draw();
  }

  /** Leaves the names of these stops to an overlay, which may draw them on another side. */
  leaveNames(stops: readonly string[]): void {
    if (stops.join() === this.#unnamed.join()) return;
    this.#unnamed = stops;
    this.#draw();
  }

  /** For screen readers, and for programs that wait until everything is drawn. */
  #sayWhenBusy(container: HTMLElement): void {
    const say = (busy: boolean) => container.setAttribute('aria-busy', String(busy));
    say(true);
    this.map.on('dataloading', () => say(true));
    this.map.on('movestart', () => say(true));
    // Until its style has come, the map is idle and empty.
    this.map.on('idle', () => say(this.#turnNames() || this.#style === undefined));
  }

  /** Moves the names of stops that the edge of the map cuts off; whether there are others than before. */
  #turnNames(): boolean {
    const turned = namesToTurn(this);
    if (turned.join() === this.#turned.join()) return false;
    this.#turned = turned;
    this.#draw();
    // The style may have no names any more, and be equal to the one before.
    this.map.triggerRepaint();
    return true;
  }

  #remove(overlay: Overlay): void {
    if (this.#overlays.get(overlay.id) !== overlay) return;
    this.#overlays.delete(overlay.id);
    for (const source of Object.keys(overlay.sources)) this.#data.delete(source);
    this.#draw();
  }

  /** Only the differences from the present style are applied to the map. */
  #draw(): void {
    if (this.#style === undefined || this.#isRemoved) return;
    this.map.setStyle(this.#composed(this.#style), { diff: true, validate: false });
  }

  #composed(style: StyleSpecification): StyleSpecification {
    const sources = { ...style.sources };
    const above: LayerSpecification[] = [];
    for (const overlay of this.#overlays.values()) {
      for (const [id, source] of Object.entries(overlay.sources)) {
        const data = this.#data.get(id);
        sources[id] = source.type === 'geojson' && data !== undefined ? { ...source, data } : source;
      }
      above.push(...overlay.layers(this.#theme));
    }
    const layers = this.#quiet ? style.layers.map(quieted) : style.layers;
    const named = layers.map((layer) => this.#named(layer));
    return { ...style, sources, layers: inOrder(named, above) };
  }

  /** A layer of the style with the names of stops that it draws where they are to be. */
  #named(layer: LayerSpecification): LayerSpecification {
    const kept = this.#unnamed.length > 0 ? withoutNames(layer, this.#unnamed) : layer;
    return this.#turned.length > 0 ? withNamesTurned(kept, this.#turned) : kept;
  }
}

/** A layer of the style with faint routes and stops. */
function quieted(layer: LayerSpecification): LayerSpecification {
  if (layer.id === 'patterns' && layer.type === 'line') {
    return { ...layer, paint: { ...layer.paint, 'line-opacity': QUIET_OPACITY } };
  }
  if (layer.id === 'stops' && layer.type === 'circle') {
    return { ...layer, paint: { ...layer.paint, 'circle-opacity': 0.5, 'circle-stroke-opacity': QUIET_OPACITY } };
  }
  return layer;
}
