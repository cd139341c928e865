/** Road works of a web feature service, on the streets of plans. */

import test from 'ava';
import { buildSampleTown } from '../support/sample-graph.js';
import { startSource } from '../support/source-server.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const feature = (coordinates: number[][][]) => ({
  type: 'Feature',
  geometry: { type: 'Polygon', coordinates },
  properties: { licence_type: 'Kaivu', event_description: 'Pipes', licence_startdate: '2024-05-01Z' },
});

test('walks through road works have an alert as long as the service has the road works', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const info = town.graph.info();
  const lat = (info.lowerLeftLatitude + info.upperRightLatitude) / 2;
  const lon = (info.lowerLeftLongitude + info.upperRightLongitude) / 2;
  const source = await startSource(t);
  const works = (south: number) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        feature([
          [
            [lon - 0.003, south - 0.003],
            [lon + 0.003, south - 0.003],
            [lon + 0.003, south + 0.003],
            [lon - 0.003, south + 0.003],
            [lon - 0.003, south - 0.003],
          ],
        ]),
        { type: 'Feature', geometry: null, properties: {} },
      ],
    });
  source.answers['/ows'] = works(lat);
  const url = `${source.url}/ows?Service=wfs&Version=1.1.0&Request=GetCapabilities`;
  const updater = { type: 'winkki-polling-updater', url, featureType: 'hkr:works', frequencySec: 0.05 };
  const app = await startApp(t, [{ id: 'r', graph: town.graph, config: { updaters: [updater] as never } }]);
  t.teardown(() => app.deps.registry.evictAll());
  const query = `fromPlace=${lat},${lon - 0.009}&toPlace=${lat},${lon + 0.009}&mode=WALK`;
  const walk = async () => (await app.json(`/routers/r/plan?${query}`)).plan?.itineraries[0].legs[0] ?? {};

  await until(async () => (await app.json('/routers/r/updaters/status')).updaters[0].counts.notes === 1);
  const leg = await walk();
  const alert = { alertHeaderText: 'winkki:Kaivu', alertDescriptionText: 'Pipes' };
  t.like(leg.alerts[0], { ...alert, effectiveStartDate: Date.UTC(2024, 4, 1) });
  t.like(leg.steps.find((step: any) => step.alerts !== undefined).alerts[0], alert);
  const asked = new URL(source.requests.at(-1)?.path ?? '', source.url).searchParams;
  t.deepEqual([asked.get('request'), asked.get('typename'), asked.get('Request')], ['GetFeature', 'hkr:works', null]);
  source.answers['/ows'] = works(lat + 1);
  await until(async () => (await walk()).alerts === undefined);
});
