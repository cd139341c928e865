/** The known name that a misspelt one most likely means. */

import test from 'ava';
import { suggest } from '../src/suggestion.js';

test('the closest name within a third of the length is meant', (t) => {
  const known = ['origins', 'destinations'];
  t.is(suggest('orgins', known), 'origins');
  t.is(suggest('Destination', known), 'destinations');
  t.is(suggest('places', known), undefined);
  t.is(suggest('o'.repeat(9), ['ooooooo']), 'ooooooo');
});

test('a name of megabytes is compared with none', (t) => {
  const word = {
    length: 10_000_000,
    toLowerCase: () => t.fail('compared'),
  } as unknown as string;
  t.is(suggest(word, ['origins', 'destinations']), undefined);
});
