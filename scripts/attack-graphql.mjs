// Starts a server, sends it hostile GraphQL queries and measures the effect on other clients: how long `/otp/routers`
// takes meanwhile, how much memory the server needs, and whether it stops on SIGTERM.
//
//   node scripts/attack-graphql.mjs --graph graphs/porto [--only times,plans] [--seconds 10]
//
// Ends with code 1 when the 99th percentile of `/otp/routers` exceeds 50 ms, when the resident memory exceeds 300 MB,
// when an honest query is not answered, or when the server does not end within its drain time.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { latencies } from '../dist/src/bench/statistics.js';
import { HONEST_QUERY, HOSTILE_QUERIES } from './hostile-queries.mjs';
import { processMemory } from './process-usage.mjs';
import { startServer } from './started-server.mjs';

const MOST_P99_MS = 50;
const MOST_MEMORY_MB = 300;
const DRAIN_MS = 5000;
/** Pause between two requests that measure, milliseconds. */
const PROBE_MS = 10;

const { values: options } = parseArgs({
  options: {
    graph: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
  },
});
if (options.graph === undefined) throw new Error('--graph, the folder of a Graph.obj, is missing');

/** One query; resolves with status and bytes of the answer, -1 when the connection broke. */
function ask(base, query, { leaveAfterMs, bytesPerSecond } = {}) {
  const body = JSON.stringify({ query });
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = request(
      `${base}/routers/default/index/graphql`,
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
async function probe(base, isOver) {
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
  return times;
}

/** Sends the honest query now and then; resolves with how often it was answered and refused, and the longest time. */
async function honest(base, isOver) {
  const seen = { answered: 0, refused: 0, slowest: 0 };
  while (!isOver()) {
    const started = performance.now();
    const { status } = await ask(base, HONEST_QUERY);
    seen.slowest = Math.max(seen.slowest, performance.now() - started);
    if (status === 200) seen.answered++;
    else seen.refused++;
    await sleep(200);
  }
  return seen;
}

/** Where the city is, and a Wednesday in the middle of its service period. */
async function describeCity(base) {
  const router = await (await fetch(`${base}/routers/default`)).json();
  const middle = (router.transitServiceStarts + router.transitServiceEnds) / 2;
  const week = 7 * 86_400;
  // The epoch began on a Thursday.
  const noon = week * Math.floor(middle / week) + 6.5 * 86_400;
  const date = new Date(1000 * noon).toISOString().slice(0, 10).replaceAll('-', '');
  return { lat: router.centerLatitude, lon: router.centerLongitude, noon, date };
}

/** The clients of one attack send queries again and again until the time is over. */
async function attack(base, { clients, query, leaveAfterMs, bytesPerSecond }, city, isOver) {
  const statuses = {};
  const client = async (number) => {
    for (let turn = 0; !isOver(); turn++) {
      const { status } = await ask(base, query(city, number, turn), { leaveAfterMs, bytesPerSecond });
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === -1 && leaveAfterMs === undefined) await sleep(100);
    }
  };
  const work = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { work, statuses };
}

async function measure(name, kind) {
  const { root, pid, stop } = await startServer({ graph: options.graph, flags: ['--drainMs', String(DRAIN_MS)] });
  const base = `${root}otp`;
  const city = await describeCity(base);
  await ask(base, HONEST_QUERY);
  const before = processMemory(pid).all;
  const end = performance.now() + 1000 * Number(options.seconds);
  const isOver = () => performance.now() > end;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, processMemory(pid).all);
  }, 20);
  const { work, statuses } = await attack(base, kind, city, isOver);
  const [times, seen] = await Promise.all([probe(base, isOver), honest(base, isOver)]);
  clearInterval(watch);
  // The last answers may still be on their way, and the server has to stop all the same.
  const told = performance.now();
  const stopped = stop();
  const ended = await Promise.race([stopped, sleep(DRAIN_MS + 5000, 'never')]);
  const stoppedAfter = performance.now() - told;
  if (ended === 'never') process.kill(pid, 'SIGKILL');
  await Promise.race([work, sleep(5000)]);
  await stopped;
  const { p50, p99, max } = latencies(times);
  const megabytes = (bytes) => Math.round(bytes / 2 ** 20);
  const good = p99 < MOST_P99_MS && megabytes(most) < MOST_MEMORY_MB && seen.refused === 0 && ended !== 'never';
  console.log(
    `${good ? 'ok  ' : 'BAD '} ${name.padEnd(14)} routers p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ` +
      `max ${max.toFixed(0)} ms; memory ${megabytes(before)} to ${megabytes(most)} MB; ` +
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
