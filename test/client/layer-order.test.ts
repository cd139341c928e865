import test from 'ava';
import { inOrder } from '../../src/client/map/layer-order.js';

const layers = (text: string): any[] =>
  text.split(' ').map((id) => {
    const [type = '', placement] = id.replace(/\d+$/, '').split('-');
    return { id, type, source: 'any', layout: placement === undefined ? {} : { 'symbol-placement': placement } };
  });
const order = (style: string, overlays: string) =>
  inOrder(layers(style), layers(overlays))
    .map(({ id }) => id)
    .join(' ');

test('names of the map are above the lines and areas of overlays, and below their marks', (t) => {
  t.is(
    order('background1 line1 symbol1 circle1 symbol2 symbol3', 'line2 circle2 symbol4 fill1'),
    'background1 line1 symbol1 circle1 line2 fill1 symbol2 symbol3 circle2 symbol4',
  );
});

test('names along streets stay below', (t) => {
  t.is(order('line1 symbol1 symbol-line2 symbol3', 'line2'), 'line1 symbol1 symbol-line2 line2 symbol3');
});

test('a map without names has the overlays above it', (t) => {
  t.is(order('background1 line1', 'line2 circle2'), 'background1 line1 line2 circle2');
});
