/** Connections on which a request, or a TLS handshake, arrives slowly. */

import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import Koa, { type Context } from 'koa';
import { readText } from '../../src/http/request/small-body.js';
import type { Connections } from '../../src/server/connections.js';
import { listen } from '../../src/server/listen.js';
import { certificate } from '../support/certificate.js';
import { until } from '../support/until.js';

const LONG = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n';
const HALF = 'GET / HTTP/1.1\r\nHost: localhost\r\n';

/** A server with at most eight connections for each port, which only room for others closes. */
async function smallServer(t: ExecutionContext, leastHeadMs: number, tls?: { cert: Buffer; key: Buffer }) {
  const app = new Koa().use(async (ctx) => {
    if (ctx.method === 'POST') await readText(ctx as Context, 1_000_000);
    ctx.body = 'done';
  });
  app.silent = true;
  const secure = tls && { secure: { port: 0, tls } };
  const server = await listen(app, { address: '127.0.0.1', port: 0, ...secure });
  t.teardown(() => server.close(0));
  const connections = server.ports.at(-1) as Connections;
  const port = tls ? (server.securePort as number) : server.port;
  Object.assign(connections, { leastHeadMs, leastBodyMs: leastHeadMs });
  const never = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
  Object.assign(connections.server, { ...never, maxConnections: 8 });
  const hold = (text: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    t.teardown(() => socket.destroy());
    socket.write(text);
    return socket;
  };
  const ask = async () => {
    const target = { host: '127.0.0.1', port, agent: false as const, rejectUnauthorized: false };
    const request = (tls ? requestHttps : requestHttp)(target)
      .on('error', () => {})
      .end();
    const [response] = await once(request, 'response').catch(() => []);
    return (response as IncomingMessage | undefined)?.resume().statusCode;
  };
  return { hold, ask };
}

test('requests that never arrive completely make room for those of others', async (t) => {
  const { hold, ask } = await smallServer(t, 50);
  for (let i = 0; i < 30; i += 1) hold(HALF);
  await until(async () => (await ask()) === 200);
  for (let check = 0; check < 3; check += 1) t.is(await ask(), 200);
});

test('bodies that arrive slowly make room for the requests of others', async (t) => {
  const { hold, ask } = await smallServer(t, 50);
  for (let i = 0; i < 30; i += 1) hold(LONG);
  await until(async () => (await ask()) === 200);
  for (let check = 0; check < 3; check += 1) t.is(await ask(), 200);
});

test('a body that arrives quickly is read although few connections are left', async (t) => {
  const { hold, ask } = await smallServer(t, 500);
  const quick = hold(LONG);
  quick.write(' '.repeat(900_000));
  for (let i = 0; i < 30; i += 1) hold(LONG);
  await until(async () => (await ask()) === 200);
  quick.write(' '.repeat(100_000));
  t.regex(String(await once(quick, 'data')), /^HTTP\/1\.1 200/);
});

test('a request that takes a moment to arrive is answered although clients hold all connections', async (t) => {
  const { hold, ask } = await smallServer(t, 60_000);
  const slow = hold(HALF);
  for (let i = 0; i < 30; i += 1) hold('');
  await until(async () => (await ask()) === 200);
  slow.write('\r\n');
  t.regex(String(await once(slow, 'data')), /^HTTP\/1\.1 200/);
});

test('TLS handshakes that never end make room for others', async (t) => {
  const tls = await certificate(t);
  if (tls === undefined) {
    t.pass();
    return;
  }
  const { hold, ask } = await smallServer(t, 1000, tls);
  for (let i = 0; i < 30; i += 1) hold('\x16\x03\x01');
  await until(async () => (await ask()) === 200);
  for (let check = 0; check < 3; check += 1) t.is(await ask(), 200);
});
