/** Feeds of rental stations with very many stations. */

import test from 'ava';
import { readInTurns } from '../../src/updaters/rows.js';
import { serveRental } from '../support/rental-server.js';
import { startSource } from '../support/source-server.js';
import { until } from '../support/until.js';

/** Documents of GBFS with this many free bikes. */
const bikes = (count: number) =>
  JSON.stringify({
    data: { bikes: Array.from({ length: count }, (_, i) => ({ bike_id: `b${i}`, lat: 41.15, lon: -8.6 })) },
  });

test('rows are read in turns', async (t) => {
  let turns = 0;
  const rows = Array.from({ length: 9000 }, (_, i) => i);
  const count = () => {
    turns += 1;
    if (turns < 100) setImmediate(count);
  };
  setImmediate(count);
  const kept = await readInTurns(rows, (row) => (row % 3 === 0 ? undefined : row));
  t.deepEqual(
    kept,
    rows.filter((row) => row % 3 !== 0),
  );
  t.true(turns >= 3);
});

test('a feed with more bikes than an updater may have is refused with the limit', async (t) => {
  const source = await startSource(t);
  Object.assign(source.answers, {
    '/station_information.json': '{"data":{"stations":[]}}',
    '/station_status.json': '{"data":{"stations":[]}}',
    '/free_bike_status.json': bikes(100_001),
  });
  const served = await serveRental(t, { sourceType: 'gbfs', url: source.url, frequencySec: 1 });
  await until(async () => JSON.stringify(await served.status()).includes('100001 stations or bikes'));
  t.regex(JSON.stringify(await served.status()), /an updater may have at most 100000/);
  t.deepEqual(await served.stations(), []);
});
