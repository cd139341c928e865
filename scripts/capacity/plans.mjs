// Measures what plans cost, and what servers do at several rates.
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { randomPairs } from '../../dist/src/bench/pairs.js';
import { Random } from '../../dist/src/bench/random.js';
import { percentile } from '../../dist/src/bench/statistics.js';
import { machineSeconds, processMemory, processorSeconds } from '../process-usage.mjs';
import { AS_DEPLOYED, startServer } from '../started-server.mjs';
import { closedLoop, openLoop } from './load.mjs';
import { figuresOf, SEEDS } from './model.mjs';
import { average, round, say } from './report.mjs';

/** Plans that are measured, and plans before them that warm a server up. All rates use the same plans. */
const [MEASURED, WARM] = [300, 100];
/** Rates for a server with two threads, as shares of its rate with two plans at a time. */
const SHARES = [0.3, 0.5, 0.7, 1.5, 4];
/** Servers with one thread each, and their rate as a share of that of one server with one plan at a time. */
const OTHERS = [
  [1, 0.6],
  [2, 1],
];
/** Share of the processors that other programs may take: more than the error of the clocks, and too little to matter. */
const MOST_OTHERS = 0.04;
const MOST_LOADS = 8;
/** To measure refusals, requests are sent at this many times the rate that a server without a queue can answer. */
const REFUSED_RATE = 10;

/** Starts a server with some threads; its address has no slash at the end. */
async function serve(graph, threads, flags = []) {
  const { root, pid, stop } = await startServer({
    graph,
    isReady: async (root) => (await fetch(`${root}health/ready`)).ok,
    pauseMs: 50,
    flags: ['--maxThreads', String(threads), '--insecure', ...flags],
    env: AS_DEPLOYED,
  });
  return { base: root.slice(0, -1), pid, stop };
}

/** Trips between stops of the whole graph, from six in the morning until ten at night. */
async function tripPaths(base, date) {
  const stops = await (await fetch(`${base}/otp/routers/default/index/stops`)).json();
  const random = new Random(7, 'times');
  return randomPairs(stops, 4000, 1).map(({ from, to }) => {
    const minutes = 360 + random.integer(0, 959);
    const time = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
    return `/otp/routers/default/plan?fromPlace=${from}&toPlace=${to}&date=${date}&time=${time}&mode=TRANSIT,WALK`;
  });
}

const warmUp = ({ base }, paths, parallel = 1) =>
  closedLoop(
    paths.map((target) => base + target),
    parallel,
  );

/** Processor seconds so far of the servers, their first threads, this process and the machine. */
function usage(servers) {
  const { user, system } = process.cpuUsage();
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  return {
    server: sum(servers.map(({ pid }) => processorSeconds(pid))),
    firstThread: sum(servers.map(({ pid }) => processorSeconds(pid, pid))),
    client: (user + system) / 1e6,
    ...machineSeconds(),
  };
}

/**
 * Runs a load and adds the processor seconds that it took. Repeats it, a few times at most, while other programs take
 * more than a small share of the processors.
 */
async function metered(servers, load) {
  let loads = 0;
  for (;;) {
    const [before, begun] = [usage(servers), performance.now()];
    const result = await load();
    loads += 1;
    const available = ((performance.now() - begun) / 1000) * availableParallelism();
    const after = usage(servers);
    const used = Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
    const others = (used.busy + used.stolen - used.server - used.client) / available;
    if (others <= MOST_OTHERS) return { ...result, used };
    say(`repeated, because other programs took ${(others * 100).toFixed(0)} % of the processors`);
    if (loads === MOST_LOADS) throw new Error('other programs keep the machine busy');
  }
}

/** The costs of a plan, from the loads with one and with two plans at a time. */
function planCosts(alone, pairs) {
  const times = alone[0].inOrder.map((_, i) => average(alone.map(({ inOrder }) => inOrder[i])));
  const sorted = [...times].sort((a, b) => a - b);
  const mean = average(times);
  const perPlan = (name) => (average(alone.map(({ used }) => used[name])) / MEASURED) * 1000;
  return {
    milliseconds: round(mean),
    processorMs: round(perPlan('server')),
    firstThreadMs: round(perPlan('firstThread')),
    clientMs: round(perPlan('client')),
    slowdown: round(Math.max(0, average(pairs.flatMap(({ inOrder }) => inOrder)) / mean - 1)),
    p50: round(percentile(sorted, 50)),
    p95: round(percentile(sorted, 95)),
    times: times.map((time) => round(time)),
  };
}

/**
 * The costs of a refused request. A server that has one search at a time and no queue refuses nearly all requests at
 * once, and the costs of the few that it answers are known.
 */
async function refusalCosts(graph, paths, plan, seconds) {
  const server = await serve(graph, 1, ['--maxQueuedSearches', '0']);
  try {
    await warmUp(server, paths.slice(0, WARM));
    const rate = (REFUSED_RATE * 1000) / plan.milliseconds;
    say(`refused requests, ${rate.toFixed(0)} a second`);
    const { used, sent, answered } = await metered([server], () => openLoop([server.base], paths, rate, seconds));
    const each = (name, ofPlan) => round((used[name] * 1000 - answered * ofPlan) / (sent - answered));
    return {
      firstThreadMs: each('firstThread', plan.firstThreadMs),
      clientMs: each('client', plan.clientMs),
    };
  } finally {
    await server.stop();
  }
}

/** Repeated measurements of plans one at a time and two at a time. */
class Samples {
  alone = [];
  pairs = [];

  constructor(server, urls) {
    this.server = server;
    this.urls = urls;
  }

  async take() {
    this.alone.push(await metered([this.server], () => closedLoop(this.urls, 1)));
    this.pairs.push(await metered([this.server], () => closedLoop(this.urls, 2)));
  }

  /** The times of the samples before and after a run, relative to those of all samples. */
  pace(run) {
    const time = (...numbers) => average(numbers.flatMap((i) => [this.alone[i], this.pairs[i]].map(meanTime)));
    return time(run, run + 1) / time(...this.alone.keys());
  }
}

const meanTime = ({ inOrder }) => average(inOrder);

/** The runs of a point, with a sample after each. */
async function runsAt(servers, paths, samples, { rate, seconds }) {
  const runs = [];
  for (const seed of SEEDS) {
    const bases = servers.map(({ base }) => base);
    const run = await metered(servers, () => openLoop(bases, paths, rate, seconds, seed));
    runs.push({ ...run, place: samples.alone.length - 1 });
    await samples.take();
  }
  return runs;
}

function pointOf({ servers, threads, rate, runs }, samples) {
  const figures = Object.entries(figuresOf(runs)).map(([name, figure]) => [name, round(figure)]);
  return {
    servers: servers.length,
    threads,
    rate: round(rate),
    runs: runs.map(({ sent, place }) => ({ sent, pace: round(samples.pace(place)) })),
    ...Object.fromEntries(figures),
  };
}

/**
 * Measures a plan alone and beside another, a refused plan, and servers at several rates, for `seconds` in each of three
 * runs. Other virtual machines change the speed of this one, so costs are measured again before and after each run: they
 * give the `pace` of that run.
 */
export async function measurePlans({ graph, date, seconds }) {
  const server = await serve(graph, 2);
  const others = [await serve(graph, 1), await serve(graph, 1)];
  try {
    const all = await tripPaths(server.base, date);
    const paths = all.slice(WARM, WARM + MEASURED);
    await warmUp(server, all.slice(0, WARM + MEASURED), 2);
    for (const each of others) await warmUp(each, paths.slice(0, WARM));
    const urls = paths.map((target) => server.base + target);
    const samples = new Samples(server, urls);
    await samples.take();
    const { alone, pairs } = samples;
    const loads = [
      ...SHARES.map((share) => ({ servers: [server], threads: 2, rate: share * pairs[0].perSecond })),
      ...OTHERS.map(([count, share]) => ({
        servers: others.slice(0, count),
        threads: 1,
        rate: share * alone[0].perSecond,
      })),
    ];
    for (const load of loads) {
      say(`${load.servers.length} × ${load.threads} at ${load.rate.toFixed(1)} plans a second`);
      load.runs = await runsAt(load.servers, paths, samples, { rate: load.rate, seconds });
    }
    const plan = planCosts(alone, pairs);
    const refusal = await refusalCosts(graph, paths, plan, seconds);
    const { anonymous: own, file: files } = processMemory(server.pid);
    return { plan, refusal, points: loads.map((load) => pointOf(load, samples)), memory: { own, files }, paths, all };
  } finally {
    await Promise.all([server, ...others].map(({ stop }) => stop()));
  }
}

/** Replaces the graph while plans arrive at half the rate of one search at a time. */
export async function measureSwap({ graph, paths, plan }) {
  say('a swap under load');
  const server = await serve(graph, 2);
  try {
    await warmUp(server, paths.slice(0, WARM), 2);
    const swap = async () => {
      const load = openLoop([server.base], paths, 500 / plan.milliseconds, 10, 3);
      await pause(2000);
      const begun = performance.now();
      const answer = await fetch(`${server.base}/otp/routers/default`, { method: 'PUT' });
      if (!answer.ok) throw new Error(`PUT: ${answer.status}`);
      return { seconds: (performance.now() - begun) / 1000, ...(await load) };
    };
    const { seconds, p95, refused, sent } = await metered([server], swap);
    return { seconds: round(seconds), p95: round(p95), refused, sent };
  } finally {
    await server.stop();
  }
}
