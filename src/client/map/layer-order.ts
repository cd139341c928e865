/** The order in which the layers of the map are drawn. */

import type { LayerSpecification } from 'maplibre-gl';

/**
 * The layers of the style and those of overlays. Lines and areas of overlays are below the names of the style, which stay
 * readable; marks and names of overlays are above everything. Names along streets stay below, because a trip along the
 * street would disappear behind its name, and so do names that the style itself covers.
 */
export function inOrder(
  style: readonly LayerSpecification[],
  overlays: readonly LayerSpecification[],
): LayerSpecification[] {
  const isBelow = (layer: LayerSpecification) =>
    layer.type !== 'symbol' || layer.layout?.['symbol-placement'] === 'line';
  const names = style.findLastIndex(isBelow) + 1;
  const isMark = ({ type }: LayerSpecification) => type === 'circle' || type === 'symbol';
  return [
    ...style.slice(0, names),
    ...overlays.filter((layer) => !isMark(layer)),
    ...style.slice(names),
    ...overlays.filter(isMark),
  ];
}
