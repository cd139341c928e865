/** Numbers of trips by day. */

import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { startApp } from '../support/test-app.js';

test('trips are given by day, with the time zone of the graph', async (t) => {
  const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }]);
  const timeZone = new FakeGraph().info().timeZone;
  t.deepEqual(await app.json('/routers/r/serviceDays'), { timeZone, firstDate: '2019-05-13', trips: [3, 4] });
  t.is((await app.get('/routers/other/serviceDays')).status, 404);
});

test('a graph without transit has no first day', async (t) => {
  const graph = new FakeGraph();
  graph.serviceDays = () => null;
  const app = await startApp(t, [{ id: 'r', graph }]);
  t.deepEqual(await app.json('/routers/r/serviceDays'), { timeZone: graph.info().timeZone, trips: [] });
});
