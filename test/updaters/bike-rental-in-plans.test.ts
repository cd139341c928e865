/** Rental stations of a feed in plans: with their present bikes and spaces, and as places. */

import test from 'ava';
import { buildSampleTown } from '../support/sample-graph.js';
import { startSource } from '../support/source-server.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

test('bikes are taken where there are some and returned where there is room', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const info = town.graph.info();
  const lat = (info.lowerLeftLatitude + info.upperRightLatitude) / 2;
  const lon = (info.lowerLeftLongitude + info.upperRightLongitude) / 2;
  const [west, east] = [lon - 0.009, lon + 0.009];
  const stations = (bikes: number, spaces: number) =>
    JSON.stringify([
      { id: 'w', name: 'West', lat: lat * 1e6, lng: (west + 0.002) * 1e6, bikes, free: 0 },
      { id: 'e', name: 'East', lat: lat * 1e6, lng: (east - 0.002) * 1e6, bikes: 0, free: spaces },
    ]);
  const source = await startSource(t, { '/bikes': stations(2, 2) });
  const updater = { type: 'bike-rental', sourceType: 'city-bikes', url: `${source.url}/bikes`, frequencySec: 0.05 };
  const app = await startApp(t, [{ id: 'r', graph: town.graph, config: { updaters: [updater] as never } }]);
  t.teardown(() => app.deps.registry.evictAll());
  const legs = async (from: string): Promise<any[]> => {
    const place = encodeURIComponent(from);
    const query = `fromPlace=${place}&toPlace=${lat},${east}&mode=BICYCLE_RENT,WALK`;
    const { plan } = await app.json(`/routers/r/plan?${query}`);
    return plan?.itineraries?.[0].legs ?? [];
  };
  const ridden = async (from = `${lat},${west}`) => (await legs(from)).find(({ rentedBike }) => rentedBike);
  const now = async (bikes: number, spaces: number) => {
    source.answers['/bikes'] = stations(bikes, spaces);
    const shown = (list: any[]) =>
      list
        .map((s) => s.bikesAvailable + s.spacesAvailable)
        .sort()
        .join();
    const wanted = [bikes, spaces].sort().join();
    await until(async () => shown((await app.json('/routers/r/bike_rental')).stations) === wanted);
  };

  await now(3, 1);
  t.true((await app.json('/routers/r')).hasBikeSharing);
  t.true((await app.json('/routers')).routerInfo[0].hasBikeSharing);
  const { travelOptions } = await app.json('/routers/r');
  const offered = travelOptions.map(({ name }: { name: string }) => name);
  t.true(offered.includes('BICYCLERENT') && offered.includes('TRANSIT_BICYCLERENT'), offered.join());
  const ride = await ridden();
  t.like(ride.from, { name: 'West', vertexType: 'BIKESHARE', bikeShareId: 'w' });
  t.like(ride.to, { name: 'East', vertexType: 'BIKESHARE', bikeShareId: 'e' });
  const [first] = await legs('bike rental station w');
  t.is(first.from.name, 'West');
  await now(0, 4);
  t.is(await ridden(), undefined);
  await now(5, 0);
  t.is(await ridden(), undefined);
  const error = await app.json(`/routers/r/plan?fromPlace=bike+rental+station+nowhere&toPlace=${lat},${east}`);
  t.is(error.error.message, 'OUTSIDE_BOUNDS');
});
