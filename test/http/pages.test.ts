/** The pages of the server in a browser's cache. */

import test from 'ava';
import { request } from 'undici';
import { FakeGraph } from '../support/fake-graph.js';
import { startApp } from '../support/test-app.js';

/** Headers that belong to one answer and not to the page. */
const PER_ANSWER = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id'];

for (const path of ['/../', '/docs', '/routers/r/index/graphql']) {
  test(`an unchanged page has the headers of the page: ${path}`, async (t) => {
    const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }]);
    const target = new URL(app.base + path).href;
    const page = await request(target, { headers: { accept: 'text/html' } });
    await page.body.dump();
    t.is(page.statusCode, 200);
    t.regex(String(page.headers['content-security-policy']), /default-src 'self'/);
    const unchanged = await request(target, {
      headers: { accept: 'text/html', 'if-none-match': String(page.headers.etag) },
    });
    await unchanged.body.dump();
    t.is(unchanged.statusCode, 304);
    for (const [name, value] of Object.entries(unchanged.headers)) {
      if (!PER_ANSWER.includes(name)) t.is(page.headers[name], value, name);
    }
  });
}
