/** The map below routes and stops: the server's own, or one from other servers that its operator has chosen. */

import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { requestJson } from '../api/request.js';
import type { BaseMap, RouterApi } from '../api/server.js';
import type { Theme } from '../state/preferences.js';
import { TRANSIT_LAYERS } from './transit-layers.js';

/** The style in a theme. If the other server does not answer, the map is the server's own. */
export async function styleOf(api: RouterApi, base: BaseMap | undefined, theme: Theme): Promise<StyleSpecification> {
  const own = await api.style(theme);
  const address = (theme === 'dark' ? base?.darkStyle : undefined) ?? base?.style;
  if (address !== undefined) {
    const below = await requestJson<StyleSpecification>(address).catch(() => undefined);
    return below === undefined ? own : over(below, own);
  }
  return base?.tiles === undefined ? own : over(rasterStyle(base.tiles, base.attribution), own);
}

/** Adds the routes and stops of one style to another. */
function over(below: StyleSpecification, own: StyleSpecification): StyleSpecification {
  const transit = own.layers.filter(
    (layer) => 'source-layer' in layer && TRANSIT_LAYERS.has(layer['source-layer'] ?? ''),
  );
  const sources = Object.fromEntries(Object.entries(own.sources).map(([id, source]) => [`own-${id}`, source]));
  return {
    ...below,
    sources: { ...below.sources, ...sources },
    layers: [...below.layers.filter(({ id }) => !transit.some((layer) => layer.id === id)), ...transit.map(renamed)],
  };
}

/** Renamed, because both styles may have sources of the same name. */
function renamed(layer: LayerSpecification): LayerSpecification {
  return 'source' in layer ? ({ ...layer, source: `own-${layer.source}` } as LayerSpecification) : layer;
}

function rasterStyle(tiles: string, attribution = ''): StyleSpecification {
  return {
    version: 8,
    sources: { base: { type: 'raster', tiles: [tiles], tileSize: 256, maxzoom: 19, attribution } },
    layers: [{ id: 'base', type: 'raster', source: 'base' }],
  };
}
