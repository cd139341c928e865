/** Several servers with one directory of graphs. */

import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Spool } from '../../src/registry/spool.js';
import { PLACE } from '../../src/storage/writer.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

/** Greater than any process number of the system. */
const GONE = 99_999_999;

/** A spool with a file of a server. */
async function withFile(t: ExecutionContext, server: string) {
  const graphs = await temporaryDirectory(t);
  const folder = path.join(graphs, '.spool', server);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${GONE}-graph.obj`), '');
  // Before this process has started.
  await utimes(folder, 1, 1);
  const left = () => readdir(path.join(graphs, '.spool'));
  return { graphs, folder, left, spool: new Spool(graphs, 10) };
}

for (const [who, pid] of [
  ['number of this process', process.pid],
  ['number of no process', GONE],
] as const) {
  test(`a server of another container keeps its files although its number is the ${who}`, async (t) => {
    const server = `${pid}-pfedcba987`;
    const { folder, left, spool } = await withFile(t, server);
    await spool.open(100);
    t.deepEqual(await left(), [server]);
    // It shows that it runs.
    await utimes(folder, 2, 2);
    await pause(200);
    t.deepEqual(await left(), [server]);
    // It has ended.
    await spool.open(100);
    t.deepEqual(await left(), [server]);
    await until(async () => (await left()).length === 0);
    t.pass();
  });
}

test('what ended servers of this place have left is removed at once, that of living ones stays', async (t) => {
  const living = `${process.ppid}-${PLACE}`;
  const { graphs, left, spool } = await withFile(t, living);
  for (const server of [`${GONE}-${PLACE}`, `${GONE}-shared`]) await mkdir(path.join(graphs, '.spool', server));
  await spool.open();
  t.deepEqual(await left(), [living]);
});

test('processes that outlive their supervisor keep their files, and those of ended ones are removed', async (t) => {
  const server = `${GONE}-${PLACE}`;
  const { folder, left, spool } = await withFile(t, server);
  const kept = `${process.ppid}-upload.obj`;
  for (const file of [kept, `${GONE}-graph.obj`, `${process.pid}-graph.obj`])
    await writeFile(path.join(folder, file), '');
  await mkdir(path.join(folder, `${GONE}-shared`));
  await spool.open();
  t.deepEqual(await readdir(folder), [kept]);
  await rename(path.join(folder, kept), path.join(folder, `${GONE}-upload.obj`));
  await spool.open();
  t.deepEqual(await left(), []);
});

test('a server that ends removes its own files only', async (t) => {
  const { left, spool } = await withFile(t, `${process.ppid}-${PLACE}`);
  await writeFile(await spool.reserve('.obj'), '');
  t.is((await left()).length, 2);
  await spool.close();
  t.deepEqual(await left(), [`${process.ppid}-${PLACE}`]);
});
