/** What Explore draws on the map. */

import test from 'ava';
import { stopsOfLine } from '../../src/client/explore/explore-features.js';

test('a line on the map has the names of its ends', (t) => {
  const calls = ['First', 'Between', 'Last'].map((name, i) => ({ gtfsId: `1:${name}`, name, lat: i, lon: i }));
  const { features } = stopsOfLine(calls, '#ff0000');
  t.deepEqual(
    features.map(({ properties }) => [properties?.name, properties?.stop]),
    [
      ['First', '1:First'],
      [undefined, undefined],
      ['Last', '1:Last'],
    ],
  );
  t.true(features.every(({ properties }) => properties?.color === '#ff0000'));
});
