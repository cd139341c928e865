// Measures what the capacity model of docs/deploy/capacity.md is made of, in about four minutes:
//   npm run build:ts && node scripts/measure-capacity.mjs --graphs DIR --router ID [--date 2026-11-23] [--seconds 7]
// It writes docs/deploy/capacity.json and the tables and figures of the page. Wants a machine that does nothing else.
// `--page` only writes the page again.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { randomPairs } from '../dist/src/bench/pairs.js';
import { Random } from '../dist/src/bench/random.js';
import { percentile } from '../dist/src/bench/statistics.js';
import { closedLoop, openLoop } from './capacity/load.mjs';
import { figuresOf, SEEDS } from './capacity/model.mjs';
import { DATA, writePage } from './capacity/page.mjs';
import { processMemory, processorSeconds } from './process-usage.mjs';
import { startServer } from './started-server.mjs';

const MAIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const { values } = parseArgs({
  options: {
    graphs: { type: 'string', default: 'graphs' },
    router: { type: 'string', default: 'default' },
    date: { type: 'string', default: '2026-11-23' },
    seconds: { type: 'string', default: '7' },
    page: { type: 'boolean', default: false },
  },
});

/** The folder of the graph. */
const GRAPH = path.resolve(values.graphs, values.router);

/** Plans whose times are measured, and those before them; each comes again at every rate. */
const [ALONE, WARM] = [300, 100];
/** Seconds of each of the three runs at a rate. */
const POINT_S = Number(values.seconds);
/** Shares of what the closed loop did, at which requests arrive. */
const SHARES = [0.3, 0.5, 0.7];
const OVERLOAD = 1.5;

const round = (value, digits = 3) => Number(value.toPrecision(digits));
/** The least time of each trip in some runs: what else a machine does only makes it slower. */
const leastTimes = (runs) => runs[0].inOrder.map((_, i) => Math.min(...runs.map(({ inOrder }) => inOrder[i])));
const average = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

/** Processor seconds that a process has used, and those of its first thread, which reads requests and writes answers. */
const usedBy = (pid) => ({ all: processorSeconds(pid), first: processorSeconds(pid, pid) });

/** A server with some threads; its address ends without a slash. */
async function serve(threads) {
  const { root, pid, stop } = await startServer({
    main: MAIN,
    graph: GRAPH,
    isReady: async (root) => (await fetch(`${root}health/ready`)).ok,
    pauseMs: 50,
    flags: ['--maxThreads', String(threads), '--logLevel', 'warn', '--insecure'],
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
  });
  return { base: root.slice(0, -1), pid, stop };
}

/** Trips between stops of the whole graph, from six in the morning until ten at night. */
async function tripPaths(base) {
  const stops = await (await fetch(`${base}/otp/routers/default/index/stops`)).json();
  const random = new Random(7, 'times');
  return randomPairs(stops, 4000, 1).map(({ from, to }) => {
    const minutes = 360 + random.integer(0, 959);
    const time = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
    const trip = `fromPlace=${from}&toPlace=${to}&date=${values.date}&time=${time}&mode=TRANSIT,WALK`;
    return `/otp/routers/default/plan?${trip}`;
  });
}

/** What one plan takes, alone and beside others, and what the server does at several rates. */
async function measurePlans() {
  const server = await serve(2);
  try {
    const all = await tripPaths(server.base);
    // The same trips at every point, so that the simulation knows what each of them takes alone.
    const paths = all.slice(WARM, WARM + ALONE);
    const urls = paths.map((target) => server.base + target);
    await closedLoop([...all.slice(0, WARM).map((target) => server.base + target), ...urls], 2);
    say('plans one at a time');
    const before = usedBy(server.pid);
    const client = process.cpuUsage();
    const runs = [await closedLoop(urls, 1), await closedLoop(urls, 1), await closedLoop(urls, 1)];
    const { user, system } = process.cpuUsage(client);
    const after = usedBy(server.pid);
    const times = leastTimes(runs);
    const sorted = [...times].sort((a, b) => a - b);
    const mean = average(times);
    say('plans two at a time');
    const pairs = [await closedLoop(urls, 2), await closedLoop(urls, 2), await closedLoop(urls, 2)];
    const sent = runs.length * urls.length;
    const costs = {
      milliseconds: round(mean),
      processorMs: round(((after.all - before.all) / sent) * 1000),
      firstThreadMs: round(((after.first - before.first) / sent) * 1000),
      clientMs: round((user + system) / 1000 / sent),
      slowdown: round(Math.max(0, average(leastTimes(pairs)) / mean - 1)),
      p50: round(percentile(sorted, 50)),
      p95: round(percentile(sorted, 95)),
      service: times.map((time) => round(time)),
    };
    const points = [];
    for (const share of [...SHARES, OVERLOAD]) {
      points.push(
        await measurePoint([server.base], paths, {
          servers: 1,
          threads: 2,
          rate: share * Math.max(...pairs.map(({ perSecond }) => perSecond)),
        }),
      );
    }
    const { anonymous: own, file: files } = processMemory(server.pid);
    return { costs, points, paths, all, alone: 1000 / mean, memory: { own, files } };
  } finally {
    await server.stop();
  }
}

async function measurePoint(bases, paths, { servers, threads, rate }) {
  say(`${servers} servers of ${threads} threads at ${rate.toFixed(1)} plans a second`);
  const runs = [];
  for (const seed of SEEDS) runs.push(await openLoop(bases, paths, rate, POINT_S, seed));
  const sent = runs.map((run) => run.sent);
  const figures = figuresOf(runs);
  for (const name of Object.keys(figures)) figures[name] = round(figures[name]);
  return { servers, threads, rate: round(rate), sent, ...figures };
}

/** Servers of one thread each. */
async function measureOthers(paths, alone) {
  const servers = [await serve(1), await serve(1)];
  try {
    const bases = servers.map(({ base }) => base);
    for (const base of bases)
      await closedLoop(
        paths.slice(0, WARM).map((target) => base + target),
        1,
      );
    const point = (count, rate) => measurePoint(bases.slice(0, count), paths, { servers: count, threads: 1, rate });
    return [await point(1, 0.6 * alone), await point(2, 1.0 * alone)];
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}

/** Replacing the graph while plans come at half of what a server can do. */
async function measureSwap(paths, rate) {
  say('a swap under load');
  const server = await serve(2);
  try {
    await closedLoop(
      paths.slice(0, WARM).map((target) => server.base + target),
      2,
    );
    const load = openLoop([server.base], paths, rate / 2, 10, 3);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const begun = performance.now();
    const answer = await fetch(`${server.base}/otp/routers/default`, { method: 'PUT' });
    if (!answer.ok) throw new Error(`PUT: ${answer.status}`);
    const seconds = (performance.now() - begun) / 1000;
    const { p95, refused, sent } = await load;
    return { seconds: round(seconds), p95: round(p95), refused, sent };
  } finally {
    await server.stop();
  }
}

/** A matrix from some origins to more or fewer destinations, by one process with all processors. */
async function measureJobs(directory, stops) {
  const points = [];
  for (const [origins, destinations] of [
    [300, 500],
    [300, 20_000],
    [300, 8000],
  ]) {
    say(`a matrix of ${origins} by ${destinations}`);
    const file = async (name, from, count) => {
      const rows = stops.slice(from, from + count).map(({ lat, lon }, i) => `p${i},${lat},${lon}`);
      await writeFile(path.join(directory, name), `id,lat,lon\n${rows.join('\n')}\n`);
      return name;
    };
    const ends = [await file('origins.csv', 0, origins), await file('destinations.csv', origins, destinations)];
    const out = `matrix-${destinations}`;
    const args = ['job', 'matrix', ...ends, '--graph', GRAPH, '--date', values.date, '--time', '8:00', '--out', out];
    const begun = performance.now();
    await promisify(execFile)(process.execPath, [MAIN, ...args, '--partOrigins', '15'], { cwd: directory });
    const seconds = (performance.now() - begun) / 1000;
    const { started, ended } = JSON.parse(await readFile(path.join(directory, out, 'status.json'), 'utf8'));
    const parts = path.join(directory, out, 'parts');
    const sizes = await Promise.all((await readdir(parts)).map((name) => stat(path.join(parts, name))));
    const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
    points.push({
      origins,
      destinations,
      seconds: round((Date.parse(ended) - Date.parse(started)) / 1000, 4),
      withStart: round(seconds, 4),
      bytesPerPair: round(bytes / (origins * destinations)),
    });
  }
  return points;
}

async function measure() {
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-capacity-'));
  try {
    const plans = await measurePlans();
    const others = await measureOthers(plans.paths, plans.alone);
    const swap = await measureSwap(plans.paths, plans.alone);
    const stops = plans.all.map((target) => {
      const [lat, lon] = new URL(target, 'http://x').searchParams.get('fromPlace').split(',').map(Number);
      return { lat, lon };
    });
    // As many places as the largest matrix needs, near stops.
    const more = [0, 1, 2, 3, 4, 5].flatMap((i) => stops.map(({ lat, lon }) => ({ lat: lat + i * 0.0004, lon })));
    const jobs = await measureJobs(directory, more);
    const machine = { processors: availableParallelism(), model: cpus()[0].model, memory: totalmem() };
    const { size } = await stat(path.join(GRAPH, 'Graph.obj'));
    const { points, costs, memory } = plans;
    return {
      date: new Date().toISOString().slice(0, 10),
      machine,
      graph: { bytes: size },
      plan: costs,
      memory,
      points: [...points, ...others],
      swap,
      jobs,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

if (!values.page) await writeFile(DATA, `${JSON.stringify(await measure(), null, 1)}\n`);
await writePage();
