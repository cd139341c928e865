/** The mark of what was chosen on the map. */

import test from 'ava';
import { chosenMark } from '../../src/client/explore/chosen-mark.js';

test('the mark of a chosen stop does not cover the beginning of its name', (t) => {
  const [mark, name]: any[] = chosenMark('#ffffff', '#000000');
  const [, , [, [atLeft]], [, [atRight]]] = name.layout['text-offset'];
  const radius = mark.paint['circle-radius'] + mark.paint['circle-stroke-width'];
  t.true(-atLeft * name.layout['text-size'] > radius);
  t.true(atRight * name.layout['text-size'] > radius);
});
