// Measures the registry and the overload behaviour of a real server on a real graph:
//   node scripts/measure-registry.mjs DIRECTORY 'QUERY OF A PLAN' [QUERY …]
// DIRECTORY holds Graph.obj (or inputs) of one router; it is linked into a graphs directory of its own.

import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { latencies } from '../dist/src/bench/statistics.js';
import { processMemory } from './process-usage.mjs';
import { AS_DEPLOYED, startServer } from './started-server.mjs';

const [directory, ...queries] = process.argv.slice(2);
const FLOOD_SECONDS = Number(process.env.FLOOD_SECONDS ?? 60);
/** Shares the processors with the server: the runtime's own client takes several times as long for a request. */
const client = new Agent({ connections: 512 });

/** Resolves with status, milliseconds and text; status 0 when the connection failed. */
async function call(method, target) {
  const started = performance.now();
  const since = () => performance.now() - started;
  try {
    const { statusCode, headers, body } = await client.request({ origin: root, method, path: target });
    const text = await body.text();
    return { status: statusCode, text, headers, ms: since() };
  } catch (error) {
    return { status: 0, text: String(error), headers: {}, ms: since() };
  }
}

const latenciesOf = (answers) => latencies(answers.map(({ ms }) => ms));
const show = (answers) => {
  const { p50, p95, p99 } = latenciesOf(answers);
  return `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} p99 ${p99.toFixed(1)} ms`;
};

let next = 0;
const plan = () => call('GET', `/otp/routers/a/plan?${queries[next++ % queries.length]}`);

/** Asks `rate` plans a second for `seconds`, whatever the answers do. */
async function load(rate, seconds) {
  const answers = [];
  const started = performance.now();
  for (let i = 0; i < rate * seconds; i += 1) {
    const due = started + (i * 1000) / rate;
    if (due > performance.now()) await pause(due - performance.now());
    answers.push(plan());
  }
  return Promise.all(answers);
}

/** Resident bytes of the mapped graph files alone. */
function mappedGraphs(pid) {
  let inGraph = false;
  let resident = 0;
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) inGraph = line.includes('Graph.obj') || line.includes('/.spool/');
    else if (inGraph && line.startsWith('Rss:')) resident += 1024 * Number(line.replace(/\D/g, ''));
  }
  return resident;
}

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(0);
const megabytes = ({ all, anonymous, file }) =>
  `${mebibytes(all)} MB (anonymous ${mebibytes(anonymous)}, mapped files ${mebibytes(file)})`;

async function closedLoop(clients, seconds) {
  const answers = [];
  const end = performance.now() + seconds * 1000;
  const ask = async () => {
    while (performance.now() < end) answers.push(await plan());
  };
  await Promise.all(Array.from({ length: clients }, ask));
  return answers;
}

const graphs = mkdtempSync(path.join(tmpdir(), 'trestle-measure-'));
symlinkSync(path.resolve(directory), path.join(graphs, 'a'));
const { root, pid, stop } = await startServer({
  isReady: async (root) => (await fetch(`${root}health/ready`)).ok,
  flags: ['--graphs', graphs, '--router', 'none', '--insecure'],
  env: AS_DEPLOYED,
});
try {
  await pause(500);
  const empty = processMemory(pid);
  const first = await call('PUT', '/otp/routers/a');
  console.log(`first PUT: ${first.status} in ${first.ms.toFixed(0)} ms`);

  await closedLoop(2, 5);
  const calm = await load(50, 10);
  console.log(
    `50 plans/s without reloads: ${calm.filter(({ status }) => status !== 200).length} failed, ${show(calm)}`,
  );

  let loading = true;
  const puts = [];
  const disturbed = load(50, 15).finally(() => {
    loading = false;
  });
  while (loading && puts.length < 20) {
    puts.push(await call('PUT', '/otp/routers/a'));
    await pause(500);
  }
  const answers = await disturbed;
  console.log(
    `${puts.length} PUTs meanwhile: ${puts.filter(({ status }) => status !== 201).length} failed, ${show(puts)}`,
  );
  console.log(
    `50 plans/s with reloads: ${answers.filter(({ status }) => status !== 200).length} failed, ${show(answers)}`,
  );

  const full = processMemory(pid);
  const mapped = mappedGraphs(pid);
  await call('DELETE', '/otp/routers/a');
  await pause(5000);
  const after = processMemory(pid);
  console.log(`graph mapped: ${mebibytes(mapped)} MB resident; 5 s after DELETE ${mebibytes(mappedGraphs(pid))} MB`);
  console.log(`memory: empty ${megabytes(empty)}; serving ${megabytes(full)}; 5 s after DELETE ${megabytes(after)}`);
  // Pages of executables, which are clean, shared and stay, are not the router's.
  const taken = full.anonymous + mapped - empty.anonymous;
  const left = after.anonymous + mappedGraphs(pid) - empty.anonymous;
  console.log(`given back of graph and anonymous memory: ${(100 * (1 - left / taken)).toFixed(0)} %`);
  await call('PUT', '/otp/routers/a');

  await closedLoop(2, 3);
  const capacityAnswers = await closedLoop(2, 10);
  const capacity = capacityAnswers.length / 10;
  console.log(`capacity: ${capacity.toFixed(0)} plans/s with 2 clients, ${show(capacityAnswers)}`);
  const before = processMemory(pid);
  const flood = await load(capacity * 4, FLOOD_SECONDS);
  const served = flood.filter(({ status }) => status === 200);
  const busy = flood.filter(({ status }) => status === 503);
  console.log(
    `4 × capacity for ${FLOOD_SECONDS} s: ${served.length} served (${(served.length / FLOOD_SECONDS).toFixed(0)}/s, ${show(served)}, ` +
      `${(latenciesOf(served).p95 / latenciesOf(capacityAnswers).p95).toFixed(1)} × the normal p95), ${busy.length} times 503 ` +
      `(${busy.filter(({ headers }) => headers['retry-after']).length} with Retry-After), ` +
      `${flood.length - served.length - busy.length} otherwise`,
  );
  console.log(`memory before ${megabytes(before)}, after ${megabytes(processMemory(pid))}`);
  await pause(2000);
  const again = await closedLoop(2, 5);
  console.log(
    `2 s later: ${(again.length / 5).toFixed(0)} plans/s, ${again.filter(({ status }) => status !== 200).length} failed`,
  );
} finally {
  await client.destroy();
  await stop();
  rmSync(graphs, { recursive: true, force: true });
}
