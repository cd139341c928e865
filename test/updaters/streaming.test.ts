/** Trip updates over a real WebSocket. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { type WebSocket, WebSocketServer } from 'ws';
import { sharedGraph } from '../support/built-graph.js';
import { tripUpdates } from '../support/realtime-feed.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const MONDAY = '20240108';

/** A server of messages, and an application whose router `r` listens to it. */
async function listenTo(t: ExecutionContext, server: WebSocketServer, settings: Record<string, unknown> = {}) {
  await once(server, 'listening');
  t.teardown(() => server.close());
  const feed = await buildSmallFeed();
  t.teardown(() => feed.remove());
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const type = 'websocket-gtfs-rt-updater';
  const updater = { type, url, feedId: '1', purgeExpiredData: false, reconnectPeriodSec: 0.05, ...settings };
  const config = { updaters: [updater] as never };
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(feed.graph), config }]);
  t.teardown(() => app.deps.registry.evictAll());
  const status = async () => (await app.json('/routers/r/updaters/status')).updaters[0];
  return { app, status };
}

test('messages add to each other; a connection that ends is made again', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const connections: WebSocket[] = [];
  server.on('connection', (socket) => connections.push(socket));
  const { app, status } = await listenTo(t, server);
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

// Runs alone: what other tests load may hold up the event loop for longer than a pong may take.
test.serial(
  'a connection lasts as long as the server answers pings, and is made again when it no longer does',
  async (t) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
    const pings: number[] = [];
    server.on('connection', (socket) => {
      const connection = pings.push(0) - 1;
      socket.on('ping', (data) => {
        const sent = (pings[connection] ?? 0) + 1;
        pings[connection] = sent;
        if (connection > 0 || sent <= 3) socket.pong(data);
      });
    });
    const { status } = await listenTo(t, server, { heartbeatSec: 1 });

    await until(() => pings.length === 2);
    t.is(pings[0], 4, 'three pings are answered, the fourth is not');
    t.is((await status()).failures, 1);
    await until(() => (pings[1] ?? 0) >= 2);
    t.is(pings.length, 2);
  },
);

test('an address that is not valid is reported, and everything else works', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const { status } = await listenTo(t, server, { url: 'nowhere' });
  await until(async () => (await status()).failures > 0);
  t.regex((await status()).lastError.message, /the connection has ended: the address is not valid/);
});
