/** From `fares` in build-config.json to the prices in a plan. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import { configuredBuild } from '../../src/registry/build-options.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { zip } from '../support/zip.js';

const TABLES: Readonly<Record<string, string>> = {
  'agency.txt': 'agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a.example,Europe/Lisbon',
  'stops.txt': 'stop_id,stop_name,stop_lat,stop_lon\nA,A,41,-8.6\nB,B,41.02,-8.6',
  'routes.txt': 'route_id,agency_id,route_short_name,route_type\nR,AG,10,3',
  'trips.txt': 'route_id,service_id,trip_id\nR,WK,T',
  'calendar_dates.txt': 'service_id,date,exception_type\nWK,20240103,1',
  'stop_times.txt':
    'trip_id,stop_sequence,stop_id,arrival_time,departure_time\nT,1,A,8:00:00,8:00:00\nT,2,B,8:10:00,8:10:00',
  'fare_attributes.txt': 'fare_id,price,currency_type,youth_price\nsingle,2.00,EUR,1.50',
};

/**
 * The `fare` of the only trip there is, in a graph built with some `fares`, of a feed with other tables of the same
 * names.
 */
async function fareWith(t: ExecutionContext, fares: string | undefined, changes = {}): Promise<unknown> {
  const directory = await temporaryDirectory(t);
  await writeFile(path.join(directory, 'feed.zip'), await zip({ ...TABLES, ...changes }));
  if (fares !== undefined) await writeFile(path.join(directory, 'build-config.json'), `{ fares: ${fares} }`);
  const { options } = await configuredBuild(directory);
  const { Graph } = await loadAddon();
  const graph = await Graph.open((await Graph.build(directory, options)).path);
  const app = await startApp(t, [{ id: 'default', graph }]);
  const { plan } = await app.json('/routers/default/plan?fromPlace=1:A&toPlace=1:B&date=2024-01-03&time=07:55');
  return plan.itineraries[0].fare;
}

const price = (cents: number) => ({
  currency: { symbol: '€', currency: 'EUR', defaultFractionDigits: 2, currencyCode: 'EUR' },
  cents,
});
const single = (cents: number) => [{ fareId: '1:single', price: price(cents), routes: ['1:R'] }];

test('the fares of the feed are the default', async (t) => {
  const expected = { fare: { regular: price(200) }, details: { regular: single(200) } };
  t.deepEqual(await fareWith(t, undefined), expected);
  t.deepEqual(await fareWith(t, '"default"'), expected);
});

for (const [code, symbol, digits, cents] of [
  ['BRL', 'R$', 2, 250_000],
  ['COP', 'COP', 2, 250_000],
  ['JPY', '¥', 0, 2500],
  ['TND', 'TND', 3, 2_500_000],
  ['tokens', 'tokens', 2, 250_000],
] as const) {
  test(`an amount in ${code} is in the unit of its currency`, async (t) => {
    const feed = { 'fare_attributes.txt': `fare_id,price,currency_type\nsingle,2500,${code}` };
    const { fare } = (await fareWith(t, undefined, feed)) as { fare: object };
    const currency = { symbol, currency: code, defaultFractionDigits: digits, currencyCode: code };
    t.deepEqual(fare, { regular: { currency, cents } });
  });
}

test('fares can be left out', async (t) => {
  t.is(await fareWith(t, '{ type: "off" }'), undefined);
});

test('a service with several prices shows them all', async (t) => {
  t.deepEqual(await fareWith(t, '"seattle"'), {
    fare: { regular: price(200), youth: price(150), senior: price(200) },
    details: { regular: single(200), youth: single(150), senior: single(200) },
  });
});

test('services add up; one without bikes to charge adds nothing', async (t) => {
  const bikes = '{ type: "bike-rental-time-based", currency: "EUR", prices: { "30": 1 } }';
  const fare = await fareWith(t, `{ combinationStrategy: "additive", fares: ["default", ${bikes}] }`);
  t.like(fare, { fare: { regular: price(200) } });
});
