import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { writeSample } from '../../scripts/sample-town/index.js';
import { randomPairs, readPairs } from '../../src/bench/pairs.js';
import { stopsOfFeeds } from '../../src/bench/stops.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('pairs are read from either form of columns', async (t) => {
  const file = join(await temporaryDirectory(t), 'pairs.csv');
  await writeFile(file, '\uFEFFfromPlace,toPlace,date,time\n"48.1,15.2","48.3,15.4",2026-11-23,8:30\n');
  t.deepEqual(await readPairs(file), [{ from: '48.1,15.2', to: '48.3,15.4', date: '2026-11-23', time: '8:30' }]);
  await writeFile(file, 'from_lat,from_lon,to_lat,to_lon\n48.1,15.2,48.3,15.4\n');
  t.deepEqual(await readPairs(file), [{ from: '48.1,15.2', to: '48.3,15.4' }]);
});

test('a row without places is named', async (t) => {
  const file = join(await temporaryDirectory(t), 'pairs.csv');
  await writeFile(file, 'fromPlace,toPlace\n"1,2","3,4"\n"1,2",\n');
  await t.throwsAsync(readPairs(file), { message: /pairs\.csv, row 3/ });
});

test('random pairs repeat with the seed and stay near two different stops', (t) => {
  const stops = [
    { lat: 48, lon: 15 },
    { lat: 48.1, lon: 15.1 },
  ];
  const pairs = randomPairs(stops, 20, 5);
  t.deepEqual(randomPairs(stops, 20, 5), pairs);
  t.notDeepEqual(randomPairs(stops, 20, 6), pairs);
  for (const { from, to } of pairs) {
    const [a, b] = [from, to].map((place) => Number(place.split(',')[0]) > 48.05);
    t.not(a, b);
  }
  t.throws(() => randomPairs(stops.slice(1), 1, 1));
});

test('stops are found in all feeds of a directory, without stations and entrances', async (t) => {
  const town = await temporaryDirectory(t);
  await writeSample(town, { size: 'village' });
  const found = await stopsOfFeeds(town);
  // stops.txt of the two feeds has 214 rows.
  t.true(found.length > 100 && found.length < 214);
  t.true(found.every(({ lat, lon }) => lat > 47 && lat < 49 && lon > 14 && lon < 16));
});
