/** Leaves names of stops out of the server's style, so that none is on the map twice. */

import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';

/** A layer of the style without the names of these stops. */
export function withoutNames(layer: LayerSpecification, stops: readonly string[]): LayerSpecification {
  if (layer.id !== 'stop-names' || layer.type !== 'symbol') return layer;
  const isOther: ExpressionSpecification = ['!', ['in', ['get', 'id'], ['literal', [...stops]]]];
  const filter = layer.filter === undefined ? isOther : ['all', layer.filter as ExpressionSpecification, isOther];
  return { ...layer, filter: filter as ExpressionSpecification };
}
