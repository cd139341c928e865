// Measures a cold start: the time from starting a server to its first plan with an itinerary.
//
//   node scripts/measure-start.mjs [--package DIR] [--graph DIR --plan QUERY] [--times 7]
//
// DIR of the package is an installed one (`node_modules/trestle`), by default the checkout. Without --graph the server
// starts in an empty folder, so that it builds the sample town first. DIR of the graph holds `Graph.obj`; QUERY is that
// of a plan which has an itinerary, `fromPlace=…&toPlace=…&date=…`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const SAMPLE_TRIP = 'fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=08:00';
/** Between two tries. */
const PAUSE_MS = 2;

const { values: options } = parseArgs({
  options: {
    package: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
    graph: { type: 'string' },
    plan: { type: 'string', default: SAMPLE_TRIP },
    times: { type: 'string', default: '7' },
  },
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function isAnswered(address) {
  try {
    const { plan } = await (await fetch(address)).json();
    return plan?.itineraries.length > 0;
  } catch {
    return false;
  }
}

/** Milliseconds of one start. */
async function start() {
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-start-'));
  if (options.graph !== undefined) {
    await mkdir(path.join(directory, 'graphs/default'), { recursive: true });
    await symlink(path.resolve(options.graph, 'Graph.obj'), path.join(directory, 'graphs/default/Graph.obj'));
  }
  const port = await freePort();
  const main = path.resolve(options.package, 'dist/src/cli/main.js');
  const flags = ['serve', '--basePath', directory, '--bindAddress', '127.0.0.1', '--port', String(port)];
  const begun = performance.now();
  const server = spawn(process.execPath, ['--max-semi-space-size=1', main, ...flags], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  while (!(await isAnswered(`http://127.0.0.1:${port}/otp/routers/default/plan?${options.plan}`))) {
    if (server.exitCode !== null) throw new Error('the server has ended');
    await sleep(PAUSE_MS);
  }
  const took = performance.now() - begun;
  server.kill('SIGTERM');
  await ended;
  await rm(directory, { recursive: true, force: true });
  return took;
}

const times = [];
for (let i = 0; i < Number(options.times); i++) times.push(await start());
times.sort((a, b) => a - b);
const seconds = (ms) => (ms / 1000).toFixed(2);
console.log(
  `first answer after ${seconds(times[times.length >> 1])} s, at best ${seconds(times[0])} s (${times.length} starts)`,
);
