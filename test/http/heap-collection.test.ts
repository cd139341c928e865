/** Memory of the JavaScript heap is returned when a router is removed. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { sharedGraph } from '../support/built-graph.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const MODULE = new URL('../../src/server/heap-collection.js', import.meta.url).href;

/** Fills 60 MB, drops them, and prints the size of the heap before and after the collection. */
const FILL = `
  const { collectHeap } = await import('${MODULE}');
  let filled = Array.from({ length: 150_000 }, (_, i) => new Array(50).fill(i));
  filled = undefined;
  const before = process.memoryUsage().heapTotal;
  collectHeap();
  console.log(JSON.stringify([before, process.memoryUsage().heapTotal, typeof gc]));
`;

test('a collection returns memory and does not expose the function', async (t) => {
  // Threads of the collector may return more memory after the script has looked. The space for new objects, which is
  // counted apart, is as small as on servers.
  const flags = ['--single-threaded-gc', '--max-semi-space-size=1', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', FILL]);
  const [before, after, shown] = JSON.parse(stdout);
  t.true(before > 50e6 && after < (2 / 3) * before, `${before} and ${after} bytes`);
  t.is(shown, 'undefined');
});

/** Made where only the reference keeps it. */
function somethingForgotten(): WeakRef<object> {
  return new WeakRef({ an: 'answer' });
}

test('the heap is collected when a router is removed', async (t) => {
  const feed = await buildSmallFeed();
  t.teardown(() => feed.remove());
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(feed.graph) }], { flags: { insecure: true } });
  const forgotten = somethingForgotten();
  const isGone = () => forgotten.deref() === undefined;
  t.is((await app.request('/routers/r', { method: 'DELETE' })).status, 200);
  await until(isGone);
  t.true(isGone());
});
