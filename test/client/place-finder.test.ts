/** How places are searched while the user types. */

import test from 'ava';
import type { FoundPlace } from '../../src/client/api/answers.js';
import { PlaceFinder } from '../../src/client/place-search/place-finder.js';

test('names that begin with the text are offered first, the others as the server lists them', async (t) => {
  const found = [
    'corner Long Market Street & Market Lane',
    'stop Old Market',
    'stop MÁRKET Square (12)',
    'place Market',
    'corner Market Lane & parking aisle ',
    'corner road & path ',
  ];
  const finder = new PlaceFinder(async () => found.map((description, i) => ({ description, lat: i, lng: i })) as any);
  const names = async (text: string) => (await finder.find(text, 0)).offers.map(({ place }) => place.name);
  t.deepEqual(await names('market'), ['MÁRKET Square', 'Market', 'Long Market Street & Market Lane', 'Old Market']);
  t.deepEqual((await names('old  ma'))[0], 'Old Market');
});

test('the failure of a search that was given up does not touch the one after it', async (t) => {
  const asked: string[] = [];
  let answer: (found: FoundPlace[]) => void = () => {};
  const finder = new PlaceFinder((text, signal) => {
    asked.push(text);
    return new Promise((resolve, reject) => {
      answer = resolve;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  const started = async (text: string) => {
    const found = finder.find(text, 0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { found };
  };
  const first = await started('ma');
  const second = await started('mai');
  t.deepEqual((await first.found).offers, []);
  const same = await started('mai');
  t.deepEqual(asked, ['ma', 'mai'], 'a text that is being searched is not requested again');
  answer([{ lat: 1, lng: 2, description: 'stop Main' } as FoundPlace]);
  t.is((await same.found).offers.length, 1);
  t.is(await same.found, await second.found);

  const third = await started('main');
  await started('mains');
  await third.found;
  await finder.find('');
  t.deepEqual(finder.shown.value.offers, [], 'without a text there are no offers');
  answer([{ lat: 1, lng: 2, description: 'stop Main' } as FoundPlace]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  t.deepEqual(finder.shown.value.offers, []);
});
