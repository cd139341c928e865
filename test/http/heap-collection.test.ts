/** The JavaScript heap is given back when a router goes. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { sharedGraph } from '../support/built-graph.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const MODULE = new URL('../../src/server/heap-collection.js', import.meta.url).href;

/** Fills 60 MB, forgets them, and prints how much room the heap has before and after it was collected. */
const FILL = `
  const { collectHeap } = await import('${MODULE}');
  let filled = Array.from({ length: 150_000 }, (_, i) => new Array(50).fill(i));
  filled = undefined;
  const before = process.memoryUsage().heapTotal;
  collectHeap();
  console.log(JSON.stringify([before, process.memoryUsage().heapTotal, typeof gc]));
`;

test('a collection gives the room of what is gone back, and shows the function to nobody', async (t) => {
  // Threads of the collector may give a part of the room back later, after the script has looked. The room for new
  // objects, which is no part of it, is as small as where servers run.
  const flags = ['--single-threaded-gc', '--max-semi-space-size=1', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', FILL]);
  const [before, after, shown] = JSON.parse(stdout);
  t.true(before > 50e6 && after < (2 / 3) * before, `${before} and ${after} bytes`);
  t.is(shown, 'undefined');
});

/** Made where nothing keeps it but the reference. */
function somethingForgotten(): WeakRef<object> {
  return new WeakRef({ an: 'answer' });
}

test('the heap is collected when a router has gone', async (t) => {
  const feed = await buildSmallFeed();
  t.teardown(() => feed.remove());
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(feed.graph) }], { flags: { insecure: true } });
  const forgotten = somethingForgotten();
  const isGone = () => forgotten.deref() === undefined;
  t.is((await app.request('/routers/r', { method: 'DELETE' })).status, 200);
  await until(isGone, 5000);
  t.true(isGone());
});
