/** Searches have a lower priority in the system than the event loop, and live data has a lower one than searches. */

import { readdir, readFile } from 'node:fs/promises';
import test from 'ava';
import { tripUpdates } from '../support/realtime-feed.js';
import { buildSampleTown } from '../support/sample-graph.js';

/** Name and niceness of a thread, as the system reports it. */
async function thread(file: string): Promise<[name: string, nice: number]> {
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(await readFile(file, 'utf8')) ?? [];
  // The nineteenth field of all; the first one after the name is the third.
  return [name, Number(rest.split(' ')[16])];
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('search threads give way to the event loop', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  await town.graph.inspectorTile('traversal', 0, 0, 0);
  const [, own] = await thread('/proc/self/stat');
  const tasks = await readdir('/proc/self/task');
  // Other threads may have ended since.
  const threads = await Promise.all(
    tasks.map((task) => thread(`/proc/self/task/${task}/stat`).catch(() => ['', 0] as const)),
  );
  const searches = threads.filter(([name]) => name.startsWith('trestle-search'));
  t.true(searches.length > 0);
  for (const [name, nice] of searches) t.is(nice, Math.min(19, own + 10), name);
});

onLinux('applying live data gives way to searches', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const [, own] = await thread('/proc/self/stat');
  // Decoding it takes long enough for its thread to be seen.
  const message = tripUpdates(Array.from({ length: 50_000 }, (_, i) => ({ trip: `T${i}`, date: '20261123' })));
  let seen = -20;
  for (let attempt = 0; attempt < 20 && seen < own + 15; attempt += 1) {
    let isApplied = false;
    const applied = town.graph.applyTripUpdates(message).finally(() => (isApplied = true));
    while (!isApplied) {
      for (const task of await readdir('/proc/self/task')) {
        // A thread may end before its file is read.
        const [name, nice] = await thread(`/proc/self/task/${task}/stat`).catch(() => ['', 0] as const);
        if (name.startsWith('trestle-realtim')) seen = Math.max(seen, nice);
      }
    }
    await applied;
  }
  t.is(seen, Math.min(19, own + 15));
});
