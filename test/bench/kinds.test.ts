/** Every kind of request that can be timed is one that a server answers. */

import test from 'ava';
import { HttpTarget } from '../../src/bench/http-target.js';
import { REQUEST_KINDS } from '../../src/bench/request-kinds.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp } from '../support/test-app.js';

test('a server answers every kind of request', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const { graph } = town;
  const app = await startApp(t, [{ id: 'town', graph }], { flags: { analyst: true, insecure: true } });
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = graph.info();
  const place = (share: number) => `${south + (north - south) * share},${lon}`;
  const [id] = (await app.json('/routers/town/index/stops')).map((stop: { id: string }) => stop.id);
  const workload = {
    router: 'town',
    pairs: [{ from: place(0.4), to: place(0.6) }],
    stops: [{ id, lat: south, lon }],
    date: '2026-11-23',
    time: '8:30',
    settings: {},
  };
  const target = new HttpTarget('http', app.base);
  for (const [name, kind] of Object.entries(REQUEST_KINDS)) {
    const [request] = kind.make(workload);
    t.truthy(request, name);
    if (request === undefined) continue;
    const { status, bytes } = await target.prepare(request)();
    t.is(status, 200, `${name}: ${request.path}`);
    t.true(bytes > 0, name);
  }
  await target.close();
});
