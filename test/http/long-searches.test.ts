/** The longest searches on a server with one search thread: other requests are answered, and the searches end. */

import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import { type BuiltGraph, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp } from '../support/test-app.js';

const LIMIT_MS = 1500;

let town: BuiltGraph;
test.before(async () => {
  (await loadAddon()).configurePool(1, 100);
  town = await buildSampleTown();
});
test.after.always(() => town?.remove());

test('plans and isochrones are answered while matrices and circles take as long as they are allowed', async (t) => {
  const flags = { insecure: true, analyst: true, maxThreads: 1, maxLongSearchMs: LIMIT_MS, maxQueueWaitMs: 60_000 };
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }], { flags });
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const places = (count: number) =>
    Array.from({ length: count }, (_, i) => [lat + ((i % 97) - 48) * 1e-4, lon + ((i % 89) - 44) * 1e-4]);
  const when = 'date=2026-11-23&time=8:00am';
  const matrix = () =>
    app.request(`/routers/r/matrix?mode=BICYCLE&${when}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        origins: places(30_000).map((place) => place.map((x) => +x.toFixed(4))),
        destinations: places(1),
      }),
    });
  const circles = () =>
    app.get(
      `/routers/r/simpleIsochrone?fromPlace=${lat},${lon}&${when}&stopsOnly=false&nContours=200&contourSpacingMinutes=1` +
        '&requestSpacingMinutes=1&requestTimespanHours=24',
    );
  let ended = 0;
  const long = [matrix(), circles(), matrix()].map(async (asked) => {
    const answer = await asked;
    ended += 1;
    return `${answer.status} ${await answer.text()}`;
  });
  // Both are running, or wait for their turn, before the others arrive.
  while (app.deps.longAdmission.state.running + app.deps.longAdmission.state.queued < long.length) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  let answered = 0;
  while (ended === 0) {
    const plan = (await app.json(
      `/routers/r/plan?fromPlace=${lat},${lon}&toPlace=${lat + 0.008},${lon}&${when}`,
    )) as any;
    t.true(plan.plan?.itineraries.length > 0);
    const grid = await app.get(`/routers/r/isochrone?fromPlace=${lat},${lon}&${when}&cutoffSec=900`);
    t.is(grid.status, 200);
    await grid.arrayBuffer();
    if (ended === 0) answered += 1;
  }
  t.true(answered > 0, 'answers while all long searches ran or waited');
  for (const text of await Promise.all(long)) {
    t.regex(text, /^504 the search took longer than 1500 ms: request less .*maxLongSearchMs\n$/);
  }
});

test('clients that send the places of a matrix slowly take no turn from others', async (t) => {
  const flags = { insecure: true, analyst: true, maxThreads: 1, maxQueuedSearches: 1, maxQueueWaitMs: 200 };
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }], { flags });
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  const { hostname, port } = new URL(app.base);
  const head = 'HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n[';
  for (const path of ['/otp/routers/r/matrix', '/otp/surfaces?batch=true']) {
    for (let i = 0; i < 5; i += 1) {
      const slow = connect(Number(port), hostname).on('error', () => {});
      t.teardown(() => slow.destroy());
      slow.write(`POST ${path} ${head}`);
      await once(slow, 'connect');
    }
  }
  // The server has read their heads when it answers a later request.
  for (let i = 0; i < 3; i += 1) await app.get('/');
  const place = [lat, lon];
  const answer = await app.request('/routers/r/matrix?mode=WALK', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ origins: [place], destinations: [place] }),
  });
  t.is(answer.status, 200);
});
