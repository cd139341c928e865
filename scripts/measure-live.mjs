// How long a message of trip updates takes, and whether searches notice it:
//   node scripts/measure-live.mjs --graph graphs/porto/Graph.obj --date 20241009 --trips 2000 --seconds 20
// One search at a time runs all the while, and look-ups take the present state as searches do; every other second messages
// come four times a second. Whatever waited for one would be slower than the slowest of the seconds without.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadAddon } from '../dist/src/native/addon.js';
import { lateTrips } from './late-trips.mjs';

const { values: options } = parseArgs({
  options: {
    graph: { type: 'string' },
    date: { type: 'string' },
    trips: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '20' },
  },
});
if (options.graph === undefined || options.date === undefined) throw new Error('--graph or --date is missing');

const PAUSE_MS = 250;
const { Graph } = await loadAddon();
const graph = await Graph.open(options.graph);
const { date } = options;

const running = [...new Set((await graph.stopTimesOnDate(graph.list('stops'), date)).trips)];
const step = Math.max(1, Math.floor(running.length / Number(options.trips)));
const chosen = running.filter((_, i) => i % step === 0).slice(0, Number(options.trips));
const trips = (await graph.trips(chosen)).map(({ id }) => id.slice(id.indexOf(':') + 1));

const noon = Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T12:00:00Z`) / 1000;
const served = (await graph.stops(graph.list('stops'))).filter(({ patterns = [1] }) => patterns.length > 0);
const place = (i) => ({ lat: served[i % served.length].lat, lon: served[i % served.length].lon });

const times = { quiet: [], updated: [] };
const lookups = { quiet: [], updated: [] };
const applied = [];
const until = performance.now() + Number(options.seconds) * 1000;
const isUpdating = () => Math.floor(performance.now() / 1000) % 2 === 1;

async function update() {
  for (let n = 0; performance.now() < until; n += 1) {
    await sleep(PAUSE_MS);
    if (!isUpdating()) continue;
    const message = lateTrips(trips, date, (n * 7) % 600);
    const started = performance.now();
    const report = await graph.applyTripUpdates(message, { purgeExpiredData: false, now: noon });
    applied.push(performance.now() - started);
    if (report.updated !== trips.length) throw new Error(`${report.updated} of ${trips.length} trips were updated`);
  }
}

async function search() {
  while (performance.now() < until) {
    const into = isUpdating() ? times.updated : times.quiet;
    const started = performance.now();
    await graph.plan({ from: place(17), to: place(served.length >> 1), epochSeconds: noon });
    into.push(performance.now() - started);
  }
}

async function lookUp() {
  while (performance.now() < until) {
    const into = isUpdating() ? lookups.updated : lookups.quiet;
    const end = performance.now() + 10;
    while (performance.now() < end) {
      const started = performance.now();
      graph.findSync('stops', ['1:1']);
      into.push(performance.now() - started);
    }
    await sleep(1);
  }
}

await graph.plan({ from: place(17), to: place(served.length >> 1), epochSeconds: noon });
await Promise.all([update(), search(), lookUp()]);
graph.dispose();

const figures = (values) => {
  const sorted = Float64Array.from(values).sort();
  const quantile = (q) => Number((sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(3));
  const [p25, p50, p99, p9999] = [0.25, 0.5, 0.99, 0.9999].map(quantile);
  return { count: sorted.length, p25, p50, p99, p9999, most: quantile(1) };
};
console.log(
  JSON.stringify({
    trips: trips.length,
    applyMs: figures(applied),
    lookUpMs: { withoutMessages: figures(lookups.quiet), withMessages: figures(lookups.updated) },
    searchMs: { withoutMessages: figures(times.quiet), withMessages: figures(times.updated) },
  }),
);
