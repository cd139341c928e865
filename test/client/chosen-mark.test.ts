/** The mark of what was chosen on the map. */

import test from 'ava';
import { chosenMark } from '../../src/client/explore/chosen-mark.js';

test('the mark of a chosen stop does not cover the beginning of its name', (t) => {
  const [mark, name]: any[] = chosenMark('#ffffff', '#000000');
  t.is(name?.layout['text-anchor'], 'left');
  const gap = name.layout['text-offset'][0] * name.layout['text-size'];
  t.true(gap > mark.paint['circle-radius'] + mark.paint['circle-stroke-width']);
});
