// Measures large jobs with a real Redis (`redis-server`) and real workers:
//   node scripts/measure-jobs.mjs [--graph DIR --places FILE] [--parts N] [--repeat N]
// First what the queue costs: 100 parts that wait two seconds each, with two workers of four parts at a time; when that is
// more than 3 %, the script ends with status 1. Then a job
// of real searches, whose parts take about two seconds of one processor: by one process without a queue, by one worker
// of the queue, and by two workers of one thread each compared with one of them. DIR holds Graph.obj, FILE is a CSV of
// places; without them it is the sample town. It needs as many idle processors as threads: two.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { freePort } from './free-port.mjs';
import { processorSeconds } from './process-usage.mjs';
import { costOfQueue, MOST_COST, PARTS as WAITING } from './queue-cost.mjs';
import { startRedis } from './started-redis.mjs';
import { MAIN } from './started-server.mjs';

const { values } = parseArgs({
  options: {
    graph: { type: 'string' },
    places: { type: 'string' },
    parts: { type: 'string', default: '20' },
    repeat: { type: 'string', default: '1' },
  },
});
const PARTS = Number(values.parts);
/** Origins whose time says how many make a part of two seconds. */
const TRIED = 160;
const PART_SECONDS = 2;
const SEARCH = '--date 2026-11-23 --time 8:00 --cutoffMinutes 30,60 --opportunities count --window 60'.split(' ');

const directory = await mkdtemp(path.join(tmpdir(), 'trestle-jobs-'));
const trestle = async (...args) => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { cwd: directory });
  return stdout;
};

/** Seconds that a job took, from its `status.json`. */
async function secondsOf(folder) {
  const { state, started, ended } = JSON.parse(await readFile(path.join(folder, 'status.json'), 'utf8'));
  if (state !== 'complete') throw new Error(`the job is ${state}`);
  return (Date.parse(ended) - Date.parse(started)) / 1000;
}

/** The arguments of a job over the first places, in parts. */
async function jobOver(places, origins, partOrigins) {
  const file = path.join(directory, `origins-${origins}.csv`);
  const [header, ...rows] = places.trimEnd().split('\n');
  const chosen = Array.from({ length: origins }, (_, i) => rows[i % rows.length]);
  await writeFile(file, `${[header, ...chosen].join('\n')}\n`);
  return [
    'job',
    'accessibility',
    file,
    path.join(directory, 'places.csv'),
    ...SEARCH,
    '--partOrigins',
    String(partOrigins),
  ];
}

async function alone(job, name) {
  await trestle(...job, '--out', name);
  return secondsOf(path.join(directory, name));
}

/** The same job in the queue, by a worker with each of these numbers of threads. */
async function queued(job, redis, threads) {
  const place = ['--redis', redis.url, '--jobs', 'jobs'];
  const workers = threads.map((count) =>
    spawn(process.execPath, ['--max-semi-space-size=1', MAIN, 'work', ...place, '--maxThreads', String(count)], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  try {
    await Promise.all(workers.map((worker) => once(createInterface({ input: worker.stderr }), 'line')));
    const before = processorTime(workers);
    const id = (await trestle(...job, ...place, '--queue', '--detach')).trim();
    const folder = path.join(directory, 'jobs', id);
    const status = () => readFile(path.join(folder, 'status.json'), 'utf8').catch(() => '');
    while (!(await status()).includes('"ended"')) await pause(50);
    return { seconds: await secondsOf(folder), processor: processorTime(workers) - before };
  } finally {
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, 'exit')));
  }
}

/** Processor time of processes so far, which other programs change less than they change the time of a job. */
const processorTime = (processes) => processes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);

async function setUp() {
  await mkdir(path.join(directory, 'graphs'), { recursive: true });
  if (values.graph === undefined) {
    await trestle('sample', 'graphs/default');
    await trestle('build', 'graphs/default');
  } else {
    await cp(path.join(values.graph, 'Graph.obj'), path.join(directory, 'graphs/default/Graph.obj'), {
      recursive: true,
    });
  }
  const places = await readFile(values.places ?? path.join(directory, 'graphs/default/pointsets/town.csv'), 'utf8');
  await writeFile(path.join(directory, 'places.csv'), places);
  return places;
}

const seconds = (value) => `${value.toFixed(1)} s`;
const percent = (share) => `${(100 * share).toFixed(1)} %`;
const port = await freePort();
const server = await startRedis(port);
const redis = { url: `redis://127.0.0.1:${port}` };
try {
  const folder = path.join(directory, 'waiting');
  const {
    seconds: waited,
    least,
    processor,
  } = await costOfQueue({ redis: redis.url, folder, partSeconds: PART_SECONDS });
  const [longer, busy] = [waited / least - 1, processor / (WAITING * PART_SECONDS)];
  console.log(`${WAITING} parts of 2 s, eight at a time: ${percent(longer)} longer than the waiting alone,`);
  console.log(`with ${seconds(processor)} of processor time, which is ${percent(busy)} of what real parts take`);
  if (Math.max(longer, busy) > MOST_COST) {
    console.log(`WRONG: a queue may take ${percent(MOST_COST)}`);
    process.exitCode = 1;
  }
  const places = await setUp();
  const tried = await queued(await jobOver(places, TRIED, 8), redis, [1]);
  const partOrigins = Math.max(1, Math.round((PART_SECONDS * TRIED) / tried.processor));
  const job = await jobOver(places, PARTS * partOrigins, partOrigins);
  console.log(`${PARTS} parts of ${partOrigins} origins each`);
  for (let i = 0; i < Number(values.repeat); i += 1) {
    const embedded = await alone(job, `alone-${i}`);
    const both = await queued(job, redis, [2]);
    const one = await queued(job, redis, [1]);
    const two = await queued(job, redis, [1, 1]);
    const more = percent(both.seconds / embedded - 1);
    console.log(`without a queue ${seconds(embedded)}, one worker of two threads ${seconds(both.seconds)} (${more})`);
    const faster = (one.seconds / two.seconds).toFixed(2);
    console.log(
      `one worker of one thread ${seconds(one.seconds)}, two of them ${seconds(two.seconds)}: ${faster} times as fast`,
    );
    const [all, each] = [two.processor, one.processor].map(seconds);
    console.log(`processor time of two workers ${all}, of one ${each}`);
  }
} finally {
  server.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
}
