/** A graphs directory on a file system that is read-only, as containers mount them. */

import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { portWhenReady } from '../../src/bench/started-server.js';
import { PLACE } from '../../src/storage/writer.js';
import { MAIN } from '../support/command.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Some systems do not let everybody mount file systems, even within a process. */
const mayMount = async () =>
  promisify(execFile)('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/tmp']).then(
    () => true,
    () => false,
  );

test('graphs on a read-only file system are served, and cannot be changed', async (t) => {
  if (!(await mayMount())) {
    t.log('skipped: this system lets nobody mount a file system');
    t.pass();
    return;
  }
  const place = await temporaryDirectory(t);
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const [from, graphs] = [path.join(place, 'from'), path.join(place, 'graphs')];
  await Promise.all([mkdir(path.join(from, 'town'), { recursive: true }), mkdir(graphs)]);
  await copyFile(town.file, path.join(from, 'town/Graph.obj'));
  // What an ended server has left cannot be removed there.
  const spooled = path.join(from, '.spool', `99999999-${PLACE}`);
  await mkdir(spooled, { recursive: true });
  await writeFile(path.join(spooled, '99999999-graph.obj'), '');
  await writeFile(path.join(from, 'town', `Graph.obj.tmp-99999999-${PLACE}-0`), '');
  const script = path.join(place, 'serve.sh');
  await writeFile(
    script,
    `set -e
    mount -t tmpfs none "$2"
    cp -r "$1"/. "$2"
    mount -o remount,ro none "$2"
    exec "$3" "$4" serve --graphs "$2" --pointSets "$2/pointsets" --analyst --insecure --bindAddress 127.0.0.1 --port 0`,
  );
  const server = spawn('unshare', ['-rm', 'sh', script, from, graphs, process.execPath, MAIN], {
    cwd: place,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(() => server.kill('SIGKILL'));
  const base = `http://127.0.0.1:${await portWhenReady(server)}/otp`;
  const { routerInfo } = (await (await fetch(`${base}/routers`)).json()) as any;
  t.deepEqual(
    routerInfo.map(({ routerId }: any) => routerId),
    ['town'],
  );
  const send = async (method: string, target: string, type: string, body: string) => {
    const response = await fetch(base + target, { method, headers: { 'Content-Type': type }, body });
    return `${response.status} ${await response.text()}`;
  };
  const refused = /^507 STORAGE_READ_ONLY: /;
  t.regex(await send('POST', '/routers/other', 'application/octet-stream', 'graph'), refused);
  t.regex(await send('POST', '/pointsets/some', 'text/csv', 'lat,lon\n1,2\n'), refused);
  const scenario = JSON.stringify({ description: 'empty', modifications: [] });
  t.regex(await send('PUT', '/routers/town/scenarios/s', 'application/json', scenario), refused);
});
