// Runs a server for a while with a trip-update message each second and plans in between, and checks what a short test
// cannot show: that memory does not grow, and that no plan mixes two states of the live data.
//
//   node scripts/soak.mjs --graph graphs/porto --minutes 30 --trips 2000 --pause 250
//
// Every message moves all its trips by one and the same delay. A plan whose rides have two delays has seen two messages;
// one whose legs overlap is not feasible. Ends with code 1 when that happens, when a request fails, or when the resident
// memory after the warm-up (a tenth of the time) grows by more than five percent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { lateTrips } from './late-trips.mjs';
import { processMemory } from './process-usage.mjs';
import { AS_DEPLOYED, startServer } from './started-server.mjs';

const MOST_GROWTH = 1.05;
/** Delays go up and down within this many seconds. */
const MOST_DELAY = 600;

const { values: options } = parseArgs({
  options: {
    graph: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    trips: { type: 'string', default: '2000' },
    pause: { type: 'string', default: '250' },
  },
});
if (options.graph === undefined) throw new Error('--graph, the folder of a Graph.obj, is missing');

/** Serves the present message; its delay changes each second. */
async function startFeed() {
  const state = { body: lateTrips([], '', 0), version: 0 };
  const server = createServer((_, response) => response.end(state.body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { state, server, url: `http://127.0.0.1:${server.address().port}/trips.pb` };
}

function serve(graph, feedUrl) {
  const updater = {
    type: 'stop-time-updater',
    sourceType: 'gtfs-http',
    url: feedUrl,
    frequencySec: 1,
    purgeExpiredData: false,
  };
  return startServer({
    graph,
    routerConfig: { updaters: [updater] },
    flags: ['--no-buildOnDemand'],
    env: AS_DEPLOYED,
  });
}

/** Asks the server; anything but a good answer is an error. */
class Client {
  constructor(root) {
    this.root = root;
  }

  async json(target) {
    const response = await fetch(`${this.root}otp/routers/default${target}`);
    if (!response.ok) throw new Error(`${target}: status ${response.status}`);
    return response.json();
  }
}

/** A Wednesday in the middle of the service period, and trips that run on it. */
async function chooseTrips(client, most) {
  const { transitServiceStarts, transitServiceEnds } = await client.json('');
  const stops = await client.json('/index/stops');
  const middle = (transitServiceStarts + transitServiceEnds) / 2;
  const day = new Date(middle * 1000);
  while (day.getUTCDay() !== 3) day.setUTCDate(day.getUTCDate() + 1);
  const date = day.toISOString().slice(0, 10).replaceAll('-', '');
  const trips = new Set();
  for (const { id } of stops.sort(() => Math.random() - 0.5)) {
    const rows = await client.json(`/index/stops/${encodeURIComponent(id)}/stoptimes/${date}`);
    for (const { times } of rows) for (const { tripId } of times) trips.add(tripId);
    if (trips.size >= most) break;
  }
  const ids = [...trips].slice(0, most).map((id) => id.slice(id.indexOf(':') + 1));
  return { date, trips: ids, stops };
}

/** What is wrong with an itinerary; empty when it is feasible in one state of the live data. */
function faults({ legs }) {
  const found = [];
  for (const [before, after] of legs.slice(1).map((leg, i) => [legs[i], leg])) {
    if (before.endTime > after.startTime) found.push(`a leg ends ${before.endTime - after.startTime} ms too late`);
  }
  const delays = new Set();
  for (const leg of legs.filter(({ realTime }) => realTime)) {
    delays.add(leg.departureDelay);
    delays.add(leg.arrivalDelay);
  }
  if (delays.size > 1) found.push(`delays of different messages: ${[...delays].join(', ')} s`);
  return found;
}

/** Asks for plans until the time is up. */
async function plan(client, { date, stops }, until, pauseMs, result) {
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  const any = () => stops[Math.floor(Math.random() * stops.length)];
  while (Date.now() < until) {
    const [from, to] = [any(), any()];
    const time = `${7 + Math.floor(Math.random() * 13)}:${Math.floor(Math.random() * 60)}`;
    const query = `fromPlace=${from.lat},${from.lon}&toPlace=${to.lat},${to.lon}&date=${day}&time=${time}`;
    const answer = await client.json(`/plan?${query}`);
    for (const itinerary of answer.plan?.itineraries ?? []) {
      result.itineraries += 1;
      result.live += itinerary.legs.filter(({ realTime }) => realTime).length;
      for (const fault of faults(itinerary)) result.faults.push(`${query}: ${fault}`);
    }
    await sleep(pauseMs);
  }
}

/** Resident bytes of a process: all, and those without pages of files, which a search reads when it first needs them. */
async function watchMemory(pid, started, until, result) {
  const warmUp = started + (until - started) / 10;
  while (Date.now() < until) {
    await sleep(5000);
    const { all, anonymous } = processMemory(pid);
    if (Date.now() < warmUp) continue;
    result.resident.push(all);
    result.anonymous.push(anonymous);
  }
}

const feed = await startFeed();
const { stop, pid, root } = await serve(options.graph, feed.url);
const result = { itineraries: 0, live: 0, faults: [], resident: [], anonymous: [] };
let status;
try {
  const client = new Client(root);
  const chosen = await chooseTrips(client, Number(options.trips));
  const next = () => {
    feed.state.version += 1;
    feed.state.body = lateTrips(chosen.trips, chosen.date, (feed.state.version * 7) % MOST_DELAY);
  };
  next();
  const ticking = setInterval(next, 1000);
  const started = Date.now();
  const until = started + Number(options.minutes) * 60_000;
  await Promise.all([
    plan(client, chosen, until, Number(options.pause), result),
    watchMemory(pid, started, until, result),
  ]);
  clearInterval(ticking);
  status = (await client.json('/updaters/status')).updaters[0];
} finally {
  feed.server.close();
  await stop();
}

/** The mean of a third of the samples: single ones go up and down with garbage collection. */
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** Of the first and the last third of the samples, bytes. */
function growthOf(samples) {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const [before, after] = [samples.slice(0, third), samples.slice(-third)].map(mean);
  const mebibytes = (bytes) => Math.round(bytes / 2 ** 20);
  return { first: mebibytes(before), last: mebibytes(after), growth: Number((after / before).toFixed(4)) };
}

const residentMiB = growthOf(result.resident);
const { runs, failures, counts } = status;
console.log(
  JSON.stringify({
    minutes: Number(options.minutes),
    updates: { runs, failures, counts },
    itineraries: result.itineraries,
    liveRides: result.live,
    faults: result.faults.slice(0, 10),
    residentMiB,
    anonymousMiB: growthOf(result.anonymous),
  }),
);
if (result.faults.length > 0 || failures > 0 || residentMiB.growth > MOST_GROWTH) process.exitCode = 1;
