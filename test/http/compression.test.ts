/** Compressed answers: whole ones with their length, large ones and streams as they are compressed. */

import { once } from 'node:events';
import { type IncomingMessage, request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { compression } from '../../src/server/middleware/compression.js';
import { FakeGraph } from '../support/fake-graph.js';
import { startApp } from '../support/test-app.js';

const MEBIBYTE = 1 << 20;

/** An answer whose body is still compressed, and not read yet. */
async function answerTo(url: string, encoding: string): Promise<IncomingMessage> {
  const request = rawRequest(url, { headers: { 'accept-encoding': encoding } }).end();
  const [response] = await once(request, 'response');
  return response;
}

/** Serves one body; resolves with its address. */
async function serve(t: ExecutionContext, body: () => unknown): Promise<string> {
  const app = new Koa();
  app.use(compression());
  app.use((ctx) => {
    ctx.type = 'text/plain';
    ctx.body = body();
  });
  const server = app.listen(0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

for (const [encoding, unpack] of [
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflateSync],
] as const) {
  test(`a plan in ${encoding} has its length, so that it is sent as a whole or not at all`, async (t) => {
    const app = await startApp(t, [{ id: 'poa', graph: new FakeGraph() }]);
    const url = `${app.base}/routers/poa/plan?fromPlace=-30.03,-51.23&toPlace=-30.06,-51.18`;
    const answer = await answerTo(url, encoding);
    const body = await buffer(answer);
    t.is(answer.headers['content-encoding'], encoding);
    t.is(answer.headers['content-length'], String(body.length));
    t.is(answer.headers['transfer-encoding'], undefined);
    t.is(JSON.parse(unpack(body).toString()).requestParameters.toPlace, '-30.06,-51.18');
  });
}

test('bytes have their length too', async (t) => {
  const text = Buffer.alloc(5000, 'few different letters ');
  const answer = await answerTo(await serve(t, () => text), 'gzip');
  const body = await buffer(answer);
  t.is(answer.headers['content-length'], String(body.length));
  t.deepEqual(gunzipSync(body), text);
});

for (const refusal of ['identity;q=0', '*;q=0', 'gzip;q=0, *;q=0', 'identity;q=0, zstd']) {
  test(`an answer for a client with Accept-Encoding ${refusal} is sent as it is`, async (t) => {
    const text = Buffer.alloc(5000, 'few different letters ');
    const answer = await answerTo(await serve(t, () => text), refusal);
    t.is(answer.statusCode, 200);
    t.is(answer.headers['content-encoding'], undefined);
    t.deepEqual(await buffer(answer), text);
  });
}

test('a large answer leaves as it is compressed', async (t) => {
  const text = Buffer.alloc(MEBIBYTE + 1, 'few different letters ');
  const answer = await answerTo(await serve(t, () => text), 'gzip');
  t.is(answer.headers['content-length'], undefined);
  t.is(answer.headers['transfer-encoding'], 'chunked');
  // AVA would sort the names of all indices before it compares the bytes.
  t.true(gunzipSync(await buffer(answer)).equals(text));
});

test('an answer that is made while it is sent leaves before it is complete', async (t) => {
  const stream = new PassThrough();
  stream.write('the beginning');
  const answer = await answerTo(await serve(t, () => stream), 'gzip');
  t.is(answer.headers['content-length'], undefined);
  t.is(answer.headers['content-encoding'], 'gzip');
  stream.end(', and the end');
  t.is(gunzipSync(await buffer(answer)).toString(), 'the beginning, and the end');
});
