/** Bike parks of a KML file, in bike-and-ride plans. */

import test from 'ava';
import { buildSampleTown } from '../support/sample-graph.js';
import { startSource } from '../support/source-server.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { zip } from '../support/zip.js';

test('bikes are left at the parks of a feed, zipped or not', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const { lowerLeftLatitude, upperRightLatitude, lowerLeftLongitude, upperRightLongitude } = town.graph.info();
  const [lat, lon] = [(lowerLeftLatitude + upperRightLatitude) / 2, (lowerLeftLongitude + upperRightLongitude) / 2];
  const kml = `<kml><Document><Placemark><name>Depot</name><Point><coordinates>${lon},${lat}</coordinates></Point></Placemark></Document></kml>`;
  const source = await startSource(t, { '/parks.kmz': await zip({ 'doc.kml': kml }) });
  const updater = { type: 'bike-park', sourceType: 'kml-placemarks', url: `${source.url}/parks.kmz`, zip: true };
  const config = { updaters: [{ ...updater, namePrefix: 'Park ', frequencySec: 0.05 }] as never };
  const app = await startApp(t, [{ id: 'r', graph: town.graph, config }]);
  t.teardown(() => app.deps.registry.evictAll());
  const status = async () => (await app.json('/routers/r/updaters/status')).updaters[0];
  await until(async () => (await status()).lastSuccess !== undefined);
  t.deepEqual((await status()).counts, { parks: 1 });

  const [west, east] = [lon - 0.004, lon + 0.004];
  const query = `fromPlace=${lat},${west}&toPlace=${lat},${east}&mode=BICYCLE_PARK,TRANSIT`;
  const { plan } = await app.json(`/routers/r/plan?${query}`);
  const onlyStreets = (itinerary: any) => itinerary.legs.every((leg: any) => !leg.transitLeg);
  const [ride, walk, ...others] = plan.itineraries.find(onlyStreets).legs;
  t.like(ride, { mode: 'BICYCLE', to: { name: 'Park Depot', vertexType: 'BIKEPARK' } });
  t.like(walk, { mode: 'WALK', from: { name: 'Park Depot' } });
  t.deepEqual(others, []);

  source.answers['/parks.kmz'] = await zip({ 'doc.kml': '<kml><Document></Document></kml>' });
  await until(async () => (await status()).counts.parks === 0);
  const without = await app.json(`/routers/r/plan?${query}`);
  t.falsy(without.plan?.itineraries?.[0]?.legs.some((leg: any) => leg.to.name === 'Park Depot'));
});
