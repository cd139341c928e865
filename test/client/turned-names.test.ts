/** Names of stops in the server's style that are drawn at the left of their stops. */

import { createPropertyExpression, latest } from '@maplibre/maplibre-gl-style-spec';
import test from 'ava';
import { namesToTurn, withNamesTurned } from '../../src/client/map/turned-names.js';
import { presentStyle } from '../../src/serialization/map-style.js';

const { layers } = presentStyle('town', 'light', () => '');
const names: any = layers.find(({ id }) => id === 'stop-names');
const stops: any = layers.find(({ id }) => id === 'stops');

/** A map of some width on which a degree of longitude is a pixel, with stops in sight. */
function mapWith(width: number, zoom: number, features: Array<{ id: string; x: number; name: string }>): any {
  return {
    covered: { right: 84 },
    map: {
      project: ([x, y]: [number, number]) => ({ x, y }),
      getContainer: () => ({ clientWidth: width }),
      getZoom: () => zoom,
      getLayer: (id: string) => (id === 'stop-names' ? names : id === 'stops' ? stops : undefined),
      queryRenderedFeatures: () =>
        features.map(({ id, x, name }) => ({
          geometry: { type: 'Point', coordinates: [x, 0] },
          properties: { id, name },
        })),
    },
  };
}

test('the names that the right edge would cut off are at the left of their stops', (t) => {
  const features = [
    { id: '1:B', x: 780, name: 'Central Station' },
    { id: '1:A', x: 700, name: 'Central Station' },
    { id: '1:A', x: 700, name: 'Central Station' },
    { id: '1:C', x: 700, name: 'Quay' },
    { id: '1:D', x: 300, name: 'Central Station' },
    { id: '1:E', x: 10, name: 'Central Station' },
  ];
  t.deepEqual(namesToTurn(mapWith(860, 15, features)), ['1:A', '1:B'], 'each once');
  t.deepEqual(namesToTurn(mapWith(860, 10, features)), [], 'there are no names so far away');
  const turned = withNamesTurned(names, ['1:A', '1:B']);
  const made = createPropertyExpression(
    (turned.layout as any)['text-anchor'],
    'text-anchor',
    latest.layout_symbol['text-anchor'] as any,
  );
  if (made.result === 'error') throw made.value[0];
  const drawn = (id: string) => String(made.value.evaluate({ zoom: 15 }, { type: 'Point', properties: { id } } as any));
  t.deepEqual(['1:A', '1:B', '1:C'].map(drawn), ['right', 'right', 'left']);
  t.is(withNamesTurned(stops, ['1:A']), stops);
});
