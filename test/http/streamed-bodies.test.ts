/** Streams go out without the runtime's HTTP client, which is large. */

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { sharedGraph } from '../support/built-graph.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';

test('a compressed answer does not ask for the runtime to load its HTTP client', async (t) => {
  const feed = await buildSmallFeed();
  t.teardown(() => feed.remove());
  const app = await startApp(t, [{ id: 'default', graph: sharedGraph(feed.graph) }]);
  let asked = 0;
  const known = globalThis.Response;
  Object.defineProperty(globalThis, 'Response', {
    configurable: true,
    get: () => {
      asked += 1;
      return known;
    },
  });
  for (const method of ['GET', 'HEAD']) {
    const sent = request(`${app.base}/openapi.json`, { method, headers: { 'Accept-Encoding': 'gzip' } });
    sent.end();
    const [response]: IncomingMessage[] = await once(sent, 'response');
    const parts: Buffer[] = await (response as IncomingMessage).toArray();
    t.is(response?.statusCode, 200);
    if (method === 'GET') t.is(response?.headers['content-encoding'], 'gzip');
    if (method === 'GET') t.is(typeof JSON.parse(gunzipSync(Buffer.concat(parts)).toString()).openapi, 'string');
    else t.is(parts.length, 0);
  }
  t.is(asked, 0);
});
