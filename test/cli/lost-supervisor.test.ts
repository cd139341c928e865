/** The files and requests of a server of several processes when it is stopped, and when its supervisor is killed. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test, { type ExecutionContext } from 'ava';
import { SPOOL_DIRECTORY } from '../../src/registry/spool.js';
import { MAIN } from '../support/command.js';
import { isAlive } from '../support/is-alive.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { spooled } from '../support/spooled.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const PROCESSES = 2;
const QUERY = JSON.stringify({ query: '{ agencies { name } }' });

interface Served {
  readonly server: ChildProcess;
  readonly port: number;
  /** Numbers of the serving processes. */
  readonly pids: readonly number[];
  readonly graphs: string;
}

/** Starts a server over the sample town, which has a copy of the graph and a surface in the spool. */
async function start(t: ExecutionContext): Promise<Served> {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const base = await temporaryDirectory(t);
  await mkdir(path.join(base, 'graphs', 'town'), { recursive: true });
  await copyFile(town.file, path.join(base, 'graphs', 'town', 'Graph.obj'));
  const flags = ['--basePath', base, '--port', '0', '--workers', String(PROCESSES), '--insecure', '--analyst'];
  const server = spawn(process.execPath, [MAIN, 'serve', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  t.teardown(() => server.kill('SIGKILL'));
  const ready = new Set<number>();
  let listening = 0;
  for await (const line of createInterface(server.stderr)) {
    if (!line.startsWith('{')) throw new Error(line);
    const { msg, pid, port } = JSON.parse(line);
    if (msg === 'listening') listening = port;
    if (msg === 'ready') ready.add(pid);
    if (ready.size === PROCESSES) break;
  }
  server.stderr.resume();
  const surface = '/otp/surfaces?batch=true&fromPlace=48.0056,15.0306&routerId=town';
  const made = await fetch(`http://127.0.0.1:${listening}${surface}`, { method: 'POST' });
  t.is(made.status, 200, await made.text());
  return { server, port: listening, pids: [...ready], graphs: path.join(base, 'graphs') };
}

/** A request whose handler is waiting for its body. */
async function begun(port: number): Promise<ClientRequest> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': QUERY.length, Expect: '100-continue' };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/otp/routers/town/index/graphql', headers });
  sent.flushHeaders();
  await once(sent, 'continue');
  return sent;
}

async function refuses(port: number): Promise<boolean> {
  const asked = request({ host: '127.0.0.1', port, path: '/otp/routers' });
  asked.end();
  const answer: Promise<IncomingMessage[]> = once(asked, 'response') as never;
  return answer.then(
    ([response]) => {
      response?.resume();
      return false;
    },
    ({ code }) => code === 'ECONNREFUSED',
  );
}

test('serving processes whose supervisor is killed answer their requests, and end without leaving files', async (t) => {
  const { server, port, pids, graphs } = await start(t);
  t.true((await spooled(graphs)).length > 1);
  const { pid } = spawnSync(process.execPath, ['--version']);
  const [folder] = await readdir(path.join(graphs, SPOOL_DIRECTORY));
  await writeFile(path.join(graphs, SPOOL_DIRECTORY, `${folder}`, `${pid}-of-a-process-that-ended.obj`), '');
  const requests = await Promise.all(Array.from({ length: 6 }, () => begun(port)));
  server.kill('SIGKILL');
  await until(() => refuses(port));
  for (const sent of requests) {
    sent.end(QUERY);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    t.is(answer.statusCode, 200);
    answer.resume();
  }
  await until(async () => !pids.some(isAlive));
  t.deepEqual(await readdir(path.join(graphs, SPOOL_DIRECTORY)), []);
});

test('a server that is stopped leaves no files in the spool', async (t) => {
  const { server, graphs } = await start(t);
  t.true((await spooled(graphs)).length > 1);
  server.kill('SIGTERM');
  t.deepEqual(await once(server, 'exit'), [0, null]);
  t.deepEqual(await readdir(path.join(graphs, SPOOL_DIRECTORY)), []);
});
