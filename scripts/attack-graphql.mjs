// Sends hostile GraphQL queries to a server of its own and measures what others notice: how long `/otp/routers` takes
// meanwhile, how much memory the server needs, and whether it stops when it is told to.
//
//   node scripts/attack-graphql.mjs --graph graphs/porto/Graph.obj [--only times,plans] [--seconds 10]
//
// Ends with code 1 when the 99th percentile of `/otp/routers` exceeds 50 ms, when the resident memory exceeds 300 MB,
// when an honest query is not answered, or when the server does not end within its drain time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { HONEST_QUERY, HOSTILE_QUERIES } from './hostile-queries.mjs';
import { processMemory } from './process-usage.mjs';

const MOST_P99_MS = 50;
const MOST_MEMORY_MB = 300;
const DRAIN_MS = 5000;
/** Between two requests of the one who measures. */
const PROBE_MS = 10;

const { values: options } = parseArgs({
  options: {
    graph: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    port: { type: 'string', default: '19280' },
  },
});
if (options.graph === undefined) throw new Error('--graph is missing');
const port = Number(options.port);
const base = `http://127.0.0.1:${port}/otp`;

async function startServer(graph) {
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-attack-'));
  const router = path.join(directory, 'graphs', 'city');
  await mkdir(router, { recursive: true });
  await symlink(path.resolve(graph), path.join(router, 'Graph.obj'));
  const main = new URL('../dist/src/cli/main.js', import.meta.url).pathname;
  const flags = ['serve', '--basePath', directory, '--graphs', 'graphs', '--router', 'city', '--port', String(port)];
  const server = spawn(process.execPath, ['--max-semi-space-size=1', main, ...flags, '--drainMs', String(DRAIN_MS)], {
    stdio: ['ignore', 'ignore', process.env.ATTACK_LOG ? 'inherit' : 'ignore'],
  });
  for (let tries = 0; !(await answers('/routers/city')); tries++) {
    if (tries > 300 || server.exitCode !== null) throw new Error('the server does not start');
    await sleep(100);
  }
  return { server, remove: () => rm(directory, { recursive: true, force: true }) };
}

const answers = (target) =>
  fetch(base + target).then(
    ({ ok }) => ok,
    () => false,
  );

/** One query; resolves with status and bytes of the answer, -1 when the connection broke. */
function ask(query, { leaveAfterMs, bytesPerSecond } = {}) {
  const body = JSON.stringify({ query });
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = request(
      `${base}/routers/city/index/graphql`,
      { method: 'POST', headers, agent: false },
      (response) => {
        let bytes = 0;
        response.on('data', (chunk) => {
          bytes += chunk.length;
          if (bytesPerSecond === undefined) return;
          response.pause();
          setTimeout(() => response.resume(), (1000 * chunk.length) / bytesPerSecond);
        });
        response.on('end', () => resolve({ status: response.statusCode, bytes }));
        response.on('error', () => resolve({ status: -1, bytes }));
      },
    );
    sent.on('error', () => resolve({ status: -1, bytes: 0 }));
    sent.end(body);
    if (leaveAfterMs !== undefined) setTimeout(() => sent.destroy(), leaveAfterMs);
  });
}

/** Asks for `/otp/routers` every few milliseconds until told to stop; resolves with the times it took. */
async function probe(isOver) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  const one = () =>
    new Promise((resolve) => {
      const started = performance.now();
      const sent = request(`${base}/routers`, { agent }, (response) => {
        response.resume().on('end', () => resolve(times.push(performance.now() - started)));
      });
      sent.on('error', () => resolve(times.push(Number.POSITIVE_INFINITY)));
      sent.end();
    });
  while (!isOver()) {
    await one();
    await sleep(PROBE_MS);
  }
  agent.destroy();
  return times.sort((a, b) => a - b);
}

/** Asks the honest query now and then; resolves with how often it was answered and refused, and the times it took. */
async function honest(isOver) {
  const seen = { answered: 0, refused: 0, slowest: 0 };
  while (!isOver()) {
    const started = performance.now();
    const { status } = await ask(HONEST_QUERY);
    seen.slowest = Math.max(seen.slowest, performance.now() - started);
    if (status === 200) seen.answered++;
    else seen.refused++;
    await sleep(200);
  }
  return seen;
}

/** Where the city is, and a Wednesday in the middle of its service period. */
async function describeCity() {
  const router = await (await fetch(`${base}/routers/city`)).json();
  const middle = (router.transitServiceStarts + router.transitServiceEnds) / 2;
  const week = 7 * 86_400;
  // The epoch began on a Thursday.
  const noon = week * Math.floor(middle / week) + 6.5 * 86_400;
  const date = new Date(1000 * noon).toISOString().slice(0, 10).replaceAll('-', '');
  return { lat: router.centerLatitude, lon: router.centerLongitude, noon, date };
}

/** The clients of one attack ask again and again until the time is over. */
async function attack({ clients, query, leaveAfterMs, bytesPerSecond }, city, isOver) {
  const statuses = {};
  const client = async (number) => {
    for (let turn = 0; !isOver(); turn++) {
      const { status } = await ask(query(city, number, turn), { leaveAfterMs, bytesPerSecond });
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === -1 && leaveAfterMs === undefined) await sleep(100);
    }
  };
  const work = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { work, statuses };
}

const quantile = (times, share) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;

async function measure(name, kind) {
  const { server, remove } = await startServer(options.graph);
  const city = await describeCity();
  await ask(HONEST_QUERY);
  const before = processMemory(server.pid).all;
  const end = performance.now() + 1000 * Number(options.seconds);
  const isOver = () => performance.now() > end || server.exitCode !== null;
  let most = 0;
  const watch = setInterval(() => {
    if (server.exitCode === null) most = Math.max(most, processMemory(server.pid).all);
  }, 20);
  const { work, statuses } = await attack(kind, city, isOver);
  const [times, seen] = await Promise.all([probe(isOver), honest(isOver)]);
  clearInterval(watch);
  // The last answers may still be on their way: stopping has to cope with them.
  const told = performance.now();
  server.kill('SIGTERM');
  const ended = await Promise.race([once(server, 'exit'), sleep(DRAIN_MS + 5000, 'never')]);
  const stoppedAfter = performance.now() - told;
  if (ended === 'never') server.kill('SIGKILL');
  await Promise.race([work, sleep(5000)]);
  await remove();
  const p99 = quantile(times, 0.99);
  const megabytes = (bytes) => Math.round(bytes / 2 ** 20);
  const good = p99 < MOST_P99_MS && megabytes(most) < MOST_MEMORY_MB && seen.refused === 0 && ended !== 'never';
  console.log(
    `${good ? 'ok  ' : 'BAD '} ${name.padEnd(14)} routers p50 ${quantile(times, 0.5).toFixed(1)} p99 ${p99.toFixed(1)} ` +
      `max ${times.at(-1)?.toFixed(0)} ms; memory ${megabytes(before)} to ${megabytes(most)} MB; ` +
      `honest ${seen.answered} answered, ${seen.refused} refused, slowest ${seen.slowest.toFixed(0)} ms; ` +
      `stopped ${ended === 'never' ? 'NEVER' : `after ${stoppedAfter.toFixed(0)} ms`}; statuses ${JSON.stringify(statuses)}`,
  );
  return good;
}

const chosen = options.only?.split(',') ?? Object.keys(HOSTILE_QUERIES);
let allGood = true;
for (const name of chosen) {
  const kind = HOSTILE_QUERIES[name];
  if (kind === undefined) throw new Error(`there is no attack ${name}; there are ${Object.keys(HOSTILE_QUERIES)}`);
  allGood = (await measure(name, kind)) && allGood;
}
process.exit(allGood ? 0 : 1);
