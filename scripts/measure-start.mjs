// Measures a cold start: the time from starting a server to its first plan with an itinerary.
//
//   node scripts/measure-start.mjs [--package DIR] [--graph DIR --plan QUERY] [--times 7]
//
// DIR of the package is an installed one (`node_modules/trestle`), by default the checkout. Without --graph the server
// starts in an empty folder, so that it builds the sample town first. DIR of the graph holds `Graph.obj`; QUERY is that
// of a plan which has an itinerary, `fromPlace=…&toPlace=…&date=…`.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { MAIN, startServer } from './started-server.mjs';

const SAMPLE_TRIP = 'fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=08:00';
/** Between two tries. */
const PAUSE_MS = 2;

const { values: options } = parseArgs({
  options: {
    package: { type: 'string' },
    graph: { type: 'string' },
    plan: { type: 'string', default: SAMPLE_TRIP },
    times: { type: 'string', default: '7' },
  },
});

async function isAnswered(root) {
  const { plan } = await (await fetch(`${root}otp/routers/default/plan?${options.plan}`)).json();
  return plan?.itineraries.length > 0;
}

async function start() {
  const main = options.package === undefined ? MAIN : path.resolve(options.package, 'dist/src/cli/main.js');
  const { tookMs, stop } = await startServer({ main, graph: options.graph, isReady: isAnswered, pauseMs: PAUSE_MS });
  await stop();
  return tookMs;
}

const times = [];
for (let i = 0; i < Number(options.times); i++) times.push(await start());
times.sort((a, b) => a - b);
const seconds = (ms) => (ms / 1000).toFixed(2);
console.log(
  `first answer after ${seconds(times[times.length >> 1])} s, at best ${seconds(times[0])} s (${times.length} starts)`,
);
