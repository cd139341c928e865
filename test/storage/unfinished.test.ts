/** Files that were being written when their process was killed, or when the disk was full. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { portWhenReady } from '../../src/bench/started-server.js';
import { loadAddon } from '../../src/native/addon.js';
import { ScenarioStore } from '../../src/scenarios/scenario-store.js';
import { makeTemporary, removeUnfinished, replaceContent, unfinishedName } from '../../src/storage/unfinished.js';
import { WRITER } from '../../src/storage/writer.js';
import { MAIN } from '../support/command.js';
import { FakeGraph } from '../support/fake-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** Greater than any process number of the system. */
const GONE = 99_999_999;

test('a killed server leaves nothing that the next start does not remove', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const base = await temporaryDirectory(t);
  const [graphs, pointSets] = [path.join(base, 'graphs'), path.join(base, 'pointsets')];
  const scenarios = path.join(graphs, 'town', 'Graph.scenarios');
  await mkdir(scenarios, { recursive: true });
  await copyFile(town.file, path.join(graphs, 'town', 'Graph.obj'));
  const start = async () => {
    const alerts = path.join(base, 'alerts.json');
    const flags = ['--router', 'town', '--port', '0', '--analyst', '--insecure', '--alertFile', alerts];
    const server = spawn(process.execPath, [MAIN, 'serve', '--basePath', base, ...flags], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.teardown(() => server.kill('SIGKILL'));
    return { server, port: await portWhenReady(server) };
  };
  const { server, port } = await start();
  const headers = { 'Content-Type': 'text/csv' };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/otp/pointsets/p', headers });
  sent.on('error', () => {});
  sent.write('lat,lon\n48.0,15.0\n');
  await until(async () => (await readdir(pointSets).catch(() => [])).length === 1);
  server.kill('SIGKILL');
  await once(server, 'exit');
  const [left = ''] = await readdir(pointSets);
  t.true(left.includes(`.tmp-${server.pid}-`), left);
  // The others are written too quickly to be interrupted.
  for (const target of [path.join(scenarios, 'a.json'), path.join(base, 'alerts.json')]) {
    const name = path.basename(unfinishedName(target)).replace(`-${process.pid}-`, `-${server.pid}-`);
    await writeFile(path.join(path.dirname(target), name), '{');
  }
  const again = await start();
  t.deepEqual(await readdir(pointSets), []);
  t.deepEqual(await readdir(scenarios), []);
  t.deepEqual((await readdir(base)).sort(), ['graphs', 'pointsets']);
  again.server.kill('SIGKILL');
});

test('files of living processes stay', async (t) => {
  const directory = await temporaryDirectory(t);
  const name = (pid: number) => path.basename(unfinishedName('x.json')).replace(`-${process.pid}-`, `-${pid}-`);
  const [mine, others, gone] = [name(process.pid), name(process.ppid), name(GONE)];
  for (const file of [mine, others, gone, 'x.json']) await writeFile(path.join(directory, file), '');
  await removeUnfinished(directory);
  t.deepEqual((await readdir(directory)).sort(), [mine, others, 'x.json'].sort());
});

test('files of processes that cannot be asked stay while they are being written', async (t) => {
  const directory = await temporaryDirectory(t);
  const elsewhere = (pid: number, target: string) =>
    path.basename(unfinishedName(target)).replace(`-${WRITER}-`, `-${pid}-pfedcba987-`);
  const graph = `Graph.obj.tmp-${GONE}-pfedcba987-0`;
  const written = [elsewhere(GONE, 'a.json'), elsewhere(process.pid, 'b.json'), graph];
  const left = [elsewhere(GONE, 'c.json'), elsewhere(process.ppid, 'd.json'), elsewhere(process.pid, 'e.json')];
  for (const file of [...written, ...left]) await writeFile(path.join(directory, file), '');
  const before = Date.now() / 1000 - 1000;
  for (const file of left) await utimes(path.join(directory, file), before, before);
  // Written by another container after this process has started, or before.
  for (const file of written) await utimes(path.join(directory, file), before + 700, before + 700);
  await removeUnfinished(directory);
  t.deepEqual((await readdir(directory)).sort(), written.sort());
});

test('the engine writes graphs under the name of this process', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const changed = new Set<string | null>();
  const watcher = watch(path.dirname(town.file), (_, name) => changed.add(name));
  t.teardown(() => watcher.close());
  const { Graph } = await loadAddon();
  await Graph.build(path.dirname(town.file));
  await until(() => changed.has('Graph.obj'));
  const isUnfinished = new RegExp(`^Graph\\.tmp-${WRITER}-\\d+$`);
  t.true(
    [...changed].some((name) => isUnfinished.test(name ?? '')),
    [...changed].join(),
  );
});

test('temporary directories of processes that have ended are removed', async (t) => {
  const temporary = await temporaryDirectory(t);
  const module = new URL('../../src/storage/unfinished.js', import.meta.url).href;
  const run = async (code: string) => {
    const program = `import { makeTemporary, removeTemporary } from ${JSON.stringify(module)}; ${code}`;
    const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env });
  };
  await run('await makeTemporary()');
  t.is((await readdir(temporary)).length, 1, 'nobody has removed it');
  const others = [`.trestle-tmp-${WRITER}-abc123`, `.trestle-tmp-${GONE}-results`, 'trestle-1-abc123'];
  for (const name of others) await mkdir(path.join(temporary, name));
  await run('await removeTemporary()');
  t.deepEqual((await readdir(temporary)).sort(), others.sort());
});

test('the time of a temporary directory shows that its process is running', async (t) => {
  const directory = await makeTemporary(10);
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await utimes(directory, 0, 0);
  await until(async () => (await stat(directory)).mtimeMs > 0);
  t.pass();
});

test('a text that cannot be written leaves nothing behind', async (t) => {
  const directory = await temporaryDirectory(t);
  // A file cannot replace a directory.
  await mkdir(path.join(directory, 'a.json'));
  await t.throwsAsync(replaceContent(path.join(directory, 'a.json'), '{}'));
  await t.throwsAsync(new ScenarioStore(directory).put('a', '{"modifications":[]}'));
  t.deepEqual(await readdir(directory), ['a.json']);
});

test('an alert that cannot be saved is neither accepted nor shown', async (t) => {
  const alertFile = path.join(await temporaryDirectory(t), 'alerts.json');
  const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }], { flags: { insecure: true, alertFile } });
  const send = (id: string) => {
    const alert = { alertHeaderText: 'Detour', alertDescriptionText: 'Works' };
    const body = JSON.stringify({ alertPatches: [{ id, alert, route: '1:R' }] });
    return app.request('/patch/patch', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  };
  const shown = async () => JSON.stringify(await app.json('/patch/routePatches?agency=1&id=R'));
  const before = await shown();
  await mkdir(alertFile);
  t.true((await send('p1')).status >= 500);
  t.is(await shown(), before);
  t.deepEqual(await readdir(path.dirname(alertFile)), ['alerts.json']);
  await rm(alertFile, { recursive: true });
  t.is((await send('p2')).status, 200);
  const after = await shown();
  t.true(after.includes('p2') && !after.includes('p1'), after);
});
