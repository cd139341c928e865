/** Requests about jobs whose object store takes connections and never answers. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { CREDENTIALS } from '../support/object-server.js';
import { startApp } from '../support/test-app.js';

test('requests about jobs are answered soon when their store does not answer', async (t) => {
  Object.assign(process.env, CREDENTIALS);
  const connections: Socket[] = [];
  const store = createServer((connection) => connections.push(connection.on('error', () => {})));
  t.teardown(() => {
    store.close();
    for (const connection of connections) connection.destroy();
  });
  await once(store.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const flags = { insecure: true, jobs: 's3://bucket/jobs', s3Endpoint: endpoint };
  const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }], { flags });
  const one = '/routers/r/jobs/0a6a2f0e-5c39-4c0e-9a8b-0a1b2c3d4e5f';
  const headers = { 'Content-Type': 'application/json' };
  const asked: [path: string, init: RequestInit][] = [
    ['/routers/r/jobs', {}],
    ['/routers/r/jobs', { method: 'POST', headers, body: '{"kind":"matrix"}' }],
    [one, {}],
    [one, { method: 'DELETE' }],
    [`${one}/resume`, { method: 'POST' }],
  ];
  const begun = performance.now();
  const answers = await Promise.all(asked.map(([path, init]) => app.request(path, init)));
  t.true(performance.now() - begun < 15_000);
  for (const answer of answers) {
    t.is(answer.status, 503);
    t.truthy(answer.headers.get('Retry-After'));
    t.regex(await answer.text(), /^STORE_FAILED: /);
  }
});
