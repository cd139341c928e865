/** No first itinerary is dominated on real cities, where their data lies beside the repository. */

import { cp } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { countDominated, dominatedText } from '../../src/bench/dominated.js';
import { InProcessTarget } from '../../src/bench/in-process-target.js';
import { randomPairs } from '../../src/bench/pairs.js';
import { atRandomTimes } from '../../src/bench/random-trips.js';
import { stopsOfFeeds } from '../../src/bench/stops.js';
import { buildGraph } from '../support/built-graph.js';
import { hasShared, SHARED } from '../support/needs.js';

/** Number of trips in each direction. */
const TRIPS: Readonly<Record<string, number>> = { laquila: 60, pdx: 60, poa: 60, porto: 40 };

for (const [city, count] of Object.entries(TRIPS)) {
  const inCity = hasShared('data', city) ? test : test.skip;
  inCity(`first itineraries in ${city} are not dominated`, async (t) => {
    const data = path.join(SHARED, 'data', city);
    const { file, remove } = await buildGraph((directory) => cp(data, directory, { recursive: true }));
    const target = await InProcessTarget.open(file);
    t.teardown(async () => {
      await target.close();
      await remove();
    });
    const period = await target.servicePeriod();
    if (!period) return t.fail('no service period');
    const trips = atRandomTimes(randomPairs(await stopsOfFeeds(data), count, 7), period, 7);
    const counts = await countDominated(target, city, trips, {}, 2);
    t.true(counts.every(({ answered }) => answered > count / 20));
    t.is(
      counts.reduce((sum, { dominated, failed }) => sum + dominated.length + failed, 0),
      0,
      dominatedText(counts),
    );
  });
}
