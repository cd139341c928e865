/** Trip updates over a real WebSocket. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { type WebSocket, WebSocketServer } from 'ws';
import { tripUpdates } from '../support/realtime-feed.js';
import { buildSmallFeed, shared } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const MONDAY = '20240108';

test('messages add to each other; the connection is made again when it ends', async (t) => {
  const feed = await buildSmallFeed();
  t.teardown(() => feed.remove());
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.teardown(() => server.close());
  await once(server, 'listening');
  const connections: WebSocket[] = [];
  server.on('connection', (socket) => connections.push(socket));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const updater = {
    type: 'websocket-gtfs-rt-updater',
    url,
    feedId: '1',
    purgeExpiredData: false,
    reconnectPeriodSec: 0.05,
  };
  const config = { updaters: [updater] as never };
  const app = await startApp(t, [{ id: 'r', graph: shared(feed.graph), config }]);
  t.teardown(() => app.deps.registry.evictAll());
  const status = async () => (await app.json('/routers/r/updaters/status')).updaters[0];
  const delays = async () => {
    const rows = await app.json(`/routers/r/index/stops/${encodeURIComponent('1:b 2')}/stoptimes/${MONDAY}`);
    const calls = rows.flatMap((row: any) => row.times);
    return Object.fromEntries(calls.map((call: any) => [call.tripId, call.departureDelay]));
  };

  await until(() => connections.length === 1);
  connections[0]?.send(tripUpdates([{ trip: 'T#1', date: MONDAY, delays: { 1: 60 } }]));
  connections[0]?.send(tripUpdates([{ trip: 'T 2', date: MONDAY, delays: { 1: 30 } }]));
  await until(async () => (await status()).runs === 2 && (await delays())['1:T 2'] === 30);
  t.like(await delays(), { '1:T#1': 60, '1:T 2': 30 });

  connections[0]?.send(Buffer.from('no message'));
  await until(async () => (await status()).failures === 1);
  t.like(await delays(), { '1:T#1': 60, '1:T 2': 30 });

  connections[0]?.terminate();
  await until(() => connections.length === 2);
  connections[1]?.send(tripUpdates([{ trip: 'T 2', date: MONDAY, canceled: true }]));
  await until(async () => (await status()).counts.canceled === 1);
  t.like(await delays(), { '1:T#1': 60 });

  await app.deps.registry.evictAll();
  await until(() => connections[1]?.readyState === 3);
  t.is(connections[1]?.readyState, 3);
});
