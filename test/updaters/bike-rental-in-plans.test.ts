/** Rental stations of a feed in plans: with their present bikes and spaces, and as places. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { buildGraph, sharedGraph } from '../support/built-graph.js';
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

test('stations with cars are listed, but nobody rides a bike from one to another', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const info = town.graph.info();
  const lat = (info.lowerLeftLatitude + info.upperRightLatitude) / 2;
  const lon = (info.lowerLeftLongitude + info.upperRightLongitude) / 2;
  const cars = [-1, 1].map((side) => ({
    id: side,
    name: '',
    lat: lat * 1e6,
    lng: (lon + side * 0.007) * 1e6,
    bikes: 2,
    free: 2,
  }));
  const source = await startSource(t, { '/cars': JSON.stringify(cars) });
  const updater = { type: 'bike-rental', sourceType: 'city-bikes', url: `${source.url}/cars`, frequencySec: 0.05 };
  const legs = async (settings: object, id: string): Promise<any[]> => {
    const config = { updaters: [{ ...updater, ...settings }] as never };
    const app = await startApp(t, [{ id, graph: sharedGraph(town.graph), config }]);
    await until(async () => (await app.json(`/routers/${id}/bike_rental`)).stations.length === 2);
    const { hasBikeSharing } = await app.json(`/routers/${id}`);
    const places = `fromPlace=${lat},${lon - 0.009}&toPlace=${lat},${lon + 0.009}`;
    const { plan } = await app.json(`/routers/${id}/plan?${places}&mode=BICYCLE_RENT`);
    app.deps.registry.evictAll();
    return [hasBikeSharing, plan.itineraries[0].legs.map(({ mode }: { mode: string }) => mode).join()];
  };
  t.deepEqual(await legs({}, 'bikes'), [true, 'WALK,BICYCLE,WALK']);
  t.deepEqual(await legs({ routeAsCar: true }, 'cars'), [false, 'WALK']);
});

test('stations of the map are shown half full', async (t) => {
  const map = `<osm version="0.6">
    <node id="1" lat="41" lon="-8.6"/><node id="2" lat="41.001" lon="-8.6"/>
    <node id="3" lat="41" lon="-8.6001"><tag k="amenity" v="bicycle_rental"/><tag k="capacity" v="13"/></node>
    <node id="4" lat="41.001" lon="-8.6001"><tag k="amenity" v="bicycle_rental"/></node>
    <way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/></way></osm>`;
  const write = (directory: string) => writeFile(path.join(directory, 'map.osm'), map);
  const town = await buildGraph(write, { staticBikeRental: true, islandWithoutStopsMaxSize: 0 });
  t.teardown(() => town.remove());
  const app = await startApp(t, [{ id: 'r', graph: town.graph }]);
  t.teardown(() => app.deps.registry.evictAll());
  const { stations } = await app.json('/routers/r/bike_rental');
  const shown = stations.map(({ id, bikesAvailable, spacesAvailable }: any) => [id, bikesAvailable, spacesAvailable]);
  t.deepEqual(shown, [
    ['3', 7, 6],
    ['4', 2, 2],
  ]);
});
