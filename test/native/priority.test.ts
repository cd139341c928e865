/** Searches have a lower priority in the system than the event loop. */

import { readdir, readFile } from 'node:fs/promises';
import test from 'ava';
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
  const threads = await Promise.all(tasks.map((task) => thread(`/proc/self/task/${task}/stat`)));
  const searches = threads.filter(([name]) => name.startsWith('trestle-search'));
  t.true(searches.length > 0);
  for (const [name, nice] of searches) t.is(nice, Math.min(19, own + 10), name);
});
