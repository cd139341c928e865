import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import type { ServingProcess } from '../support/cluster-server.js';
import { MAIN } from '../support/command.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { sizedGraph, TEXT_GRAPHS } from '../support/text-graphs.js';
import { until } from '../support/until.js';

const PROGRAM = fileURLToPath(new URL('../support/cluster-server.js', import.meta.url));
/** CRASHES in the environment sets how many are tried. */
const CRASHES = Number(process.env.CRASHES ?? 6);
const BYTES = 2_000_000;

/** Resolves with the status, or 0 when the server died before it answered. */
function send(port: number, method: string, target: string, body = ''): Promise<number> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/octet-stream' };
    const options = { host: '127.0.0.1', port, method, path: target, headers, agent: false };
    const sent = request(options, (response) => resolve(response.resume().statusCode ?? 0));
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}

async function ready(port: number): Promise<void> {
  await until(async () => (await send(port, 'GET', '/health/ready')) === 200);
}

/** Kills the server and its serving process at once. */
function kill(server: ChildProcess): void {
  if (server.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
}

test('kill -9 during saves and uploads: the file on disk always opens and the next server loads it', async (t) => {
  const graphs = await temporaryDirectory(t);
  await mkdir(path.join(graphs, 'a'));
  const file = path.join(graphs, 'a', 'Graph.obj');
  await writeFile(file, sizedGraph(0, BYTES));
  const seen = new Set<number>();
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
    const server = spawn(process.execPath, [PROGRAM, graphs, '1'], { detached: true, stdio: [...stdio] });
    const [{ shared: port }] = (await once(server, 'message')) as [Required<ServingProcess>];
    await ready(port);
    t.is(await send(port, 'GET', '/otp/routers/a'), 200, 'the router of the last round is served');
    const sent = [
      send(port, 'POST', '/otp/routers/save?routerId=a', sizedGraph(crash, BYTES)),
      send(port, 'POST', '/otp/routers/b', sizedGraph(crash, BYTES)),
      send(port, 'PUT', '/otp/routers/a'),
    ];
    await pause(Math.random() * 120);
    kill(server);
    await Promise.all([...sent, once(server, 'exit')]);
    const graph = (await TEXT_GRAPHS.open(file)).info();
    t.true(graph.vertices <= crash);
    seen.add(graph.vertices);
  }
  t.log(`${CRASHES} crashes, ${seen.size} different files survived`);
});

test('kill -9 during builds: the previous graph or the new one always opens', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const { Graph } = await loadAddon();
  const build = () => spawn(process.execPath, [MAIN, 'build', path.dirname(town.file)], { stdio: 'ignore' });
  const begun = performance.now();
  t.deepEqual(await once(build(), 'exit'), [0, null]);
  const wholeMs = performance.now() - begun;
  let killed = 0;
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const building = build();
    const ended = once(building, 'exit');
    await pause(Math.random() * wholeMs);
    building.kill('SIGKILL');
    const [, signal] = await ended;
    if (signal === 'SIGKILL') killed += 1;
    const graph = await Graph.open(town.file);
    t.is(graph.info().vertices, town.report.info.vertices);
    graph.dispose();
  }
  t.log(`${killed} of ${CRASHES} builds killed`);
});
