/** Live data in harmful amounts: the event loop keeps running, and memory stays limited. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import test from 'ava';
import { pino } from 'pino';
import { WebSocketServer } from 'ws';
import { UpdaterSettings } from '../../src/updaters/settings.js';
import { StreamingUpdater } from '../../src/updaters/streaming-updater.js';
import { EmptyIndex } from '../support/empty-index.js';
import { gate } from '../support/gate.js';
import { routeAlert, tripUpdates } from '../support/realtime-feed.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { until } from '../support/until.js';

/** Longest time that work may block the event loop, milliseconds. */
const MOST_HELD_UP_MS = 500;
/** Machines do other things at times, so one attempt within the limit is enough. */
const MOST_ATTEMPTS = 5;

/** Longest time that `work` blocked the event loop in the best of a few attempts, milliseconds. */
async function heldUp(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && least >= MOST_HELD_UP_MS; attempt += 1) {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    await work();
    delays.disable();
    least = Math.min(least, delays.max / 1e6);
  }
  return least;
}

test('a hundred thousand alerts do not hold up the event loop', async (t) => {
  const feed = await buildSmallFeed();
  t.teardown(() => feed.remove());
  // Several messages in a row are one message with all their entities.
  const one = Buffer.from(routeAlert('R:1', 'Late'));
  const bytes = Buffer.concat(Array.from({ length: 100_000 }, () => one));
  let count = 0;
  const longest = await heldUp(async () => {
    count = await feed.graph.applyAlerts(0, bytes, '1');
  });
  t.is(count, 100_000);
  t.true(longest < MOST_HELD_UP_MS, `${longest} ms`);
});

test('no change of live data waits on the event loop for another', async (t) => {
  const feed = await buildSmallFeed();
  t.teardown(() => feed.remove());
  const graph = feed.graph;
  const trips = Array.from({ length: 30_000 }, (_, i) => ({
    trip: `new ${i}`,
    date: '20240108',
    route: 'R:1',
    calls: [['b 2', 1_704_700_000 + i] as const, ['a:1', 1_704_700_300 + i] as const],
  }));
  const message = tripUpdates(trips);
  const longest = await heldUp(() =>
    Promise.all([
      graph.applyTripUpdates(message, { purgeExpiredData: false }),
      graph.setAlerts([]),
      graph.setRentalStations([]),
      graph.setStreetAlerts([]),
      graph.clearTripUpdates(),
    ]),
  );
  t.true(longest < MOST_HELD_UP_MS, `${longest} ms`);
});

/** An updater of messages from `port`, each of which takes `apply`. */
function listenTo(port: number, apply: () => Promise<unknown>, warn: () => void = () => {}) {
  const logger = Object.assign(pino({ level: 'silent' }), { warn });
  const graph = Object.assign(new EmptyIndex(), {
    applyTripUpdates: async () => {
      await apply();
      return { received: 1, updated: 1, canceled: 0, added: 0, modified: 0, rejected: 0, expired: 0, issues: [] };
    },
  });
  const context = { number: 0, sink: { graph } as never, access: { chosenBy: 'operator' } as never, logger };
  return new StreamingUpdater(
    new UpdaterSettings({ type: 'websocket-gtfs-rt-updater', url: `ws://127.0.0.1:${port}`, heartbeatSec: 0 }),
    context,
  );
}

test('a server that sends faster than messages are applied has to wait', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.teardown(() => server.close());
  await once(server, 'listening');
  let applied = 0;
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let warned = false;
  const apply = async () => {
    await gate;
    applied += 1;
  };
  const updater = listenTo((server.address() as AddressInfo).port, apply, () => {
    warned = true;
  });
  updater.start();
  const [socket] = await once(server, 'connection');
  const message = Buffer.alloc(400);
  const count = 50_000;
  for (let i = 0; i < count; i += 1) socket.send(message);
  await until(() => warned);
  t.true(warned, 'the log says so');
  t.true(socket.bufferedAmount > 5_000_000, `${socket.bufferedAmount} bytes wait at the server`);
  open();
  await until(() => applied === count);
  t.is(applied, count, 'no message is lost');
  updater.stop();
});

test('a server that does not answer the close is disconnected', async (t) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.once('data', (head) => {
      const key = /sec-websocket-key: (.*)\r\n/i.exec(head.toString('latin1'))?.[1];
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      // A message of one byte: when it is applied, the connection is open at the other end.
      socket.write(Uint8Array.of(0x82, 1, 0));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const opened = gate();
  const updater = listenTo((server.address() as AddressInfo).port, async () => opened.open());
  updater.start();
  const [socket] = (await once(server, 'connection')) as [Socket];
  // The first bytes after the handshake are those of the close.
  await once(socket, 'data');
  await opened.promise;
  const asked = once(socket, 'data');
  updater.stop();
  await asked;
  const begun = performance.now();
  await once(socket, 'close');
  t.true(performance.now() - begun < 20_000, 'before the library does it, after 30 s');
});
