import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { HttpTarget } from '../../src/bench/http-target.js';
import { compareSeries, emptyReport, reportText } from '../../src/bench/report.js';
import { REQUEST_KINDS, type Workload } from '../../src/bench/request-kinds.js';
import { runSeries } from '../../src/bench/series.js';
import { latencies, percentile } from '../../src/bench/statistics.js';

const WORKLOAD: Workload = {
  router: 'town',
  pairs: Array.from({ length: 8 }, (_, i) => ({ from: `48,15.${i}`, to: '48.1,15' })),
  stops: [{ id: '1:A', lat: 48, lon: 15 }],
  date: '2026-11-23',
  time: '8:30',
  settings: { locale: 'de' },
};

const ITINERARY = {
  startTime: 0,
  endTime: 5,
  legs: [{ mode: 'WALK', startTime: 0, endTime: 5, from: { lat: 48, lon: 15 }, to: { lat: 48.1, lon: 15 } }],
};

async function serve(t: { teardown(fn: () => void): void }, answer: (url: URL) => [number, unknown]) {
  const seen: URL[] = [];
  let running = 0;
  const most = { atOnce: 0 };
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname !== '/metrics') seen.push(url);
    most.atOnce = Math.max(most.atOnce, ++running);
    setTimeout(() => {
      running--;
      const [status, body] = answer(url);
      response
        .writeHead(status, { 'Content-Type': 'application/json' })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    }, 5);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otp`, seen, most };
}

test('percentiles are of the nearest rank', (t) => {
  t.is(percentile([1, 2, 3, 4], 50), 2);
  t.is(percentile([1, 2, 3, 4], 99), 4);
  t.is(percentile([7], 1), 7);
  t.deepEqual(latencies([3, 1, 2]), { p50: 2, p90: 3, p95: 3, p99: 3, max: 3, mean: 2 });
  t.is(latencies([]).p99, 0);
});

test('a series sends a request for every pair, a given number at a time, and counts the answers', async (t) => {
  const { base, seen, most } = await serve(t, (url) =>
    url.searchParams.get('fromPlace') === '48,15.3' ? [500, 'broken'] : [200, { plan: { itineraries: [ITINERARY] } }],
  );
  const target = new HttpTarget('http', base);
  const requests = REQUEST_KINDS.walk?.make(WORKLOAD) ?? [];
  const series = await runSeries(target, 'walk', requests, 3, { warmUp: 10, rounds: 2 });
  await target.close();
  t.is(seen.length, 10 + 16, 'warming up repeats the list');
  t.is(most.atOnce, 3);
  t.deepEqual([series.requests, series.answered, series.failed], [16, 14, 2]);
  t.true(series.p50 >= 4 && series.p50 <= series.p99 && series.p99 <= series.max);
  const query = (seen[0] as URL).searchParams;
  t.is((seen[0] as URL).pathname, '/otp/routers/town/plan');
  t.deepEqual([query.get('mode'), query.get('date'), query.get('locale')], ['WALK', '2026-11-23', 'de']);
});

test("a server's published metrics become its usage", async (t) => {
  const { base } = await serve(t, () => [
    200,
    'nodejs_eventloop_lag_min_seconds 0.25\nnodejs_eventloop_lag_p99_seconds 0.5\nprocess_resident_memory_bytes 1000\n',
  ]);
  const target = new HttpTarget('http', base);
  t.deepEqual(await target.usage(), { eventLoopLagMs: 250, peakBytes: 1000 });
  await target.close();
});

test('a server that has stopped counts as failed, not as fast', async (t) => {
  const target = new HttpTarget('http', 'http://127.0.0.1:1/otp');
  const series = await runSeries(target, 'walk', REQUEST_KINDS.walk?.make(WORKLOAD) ?? [], 1, { warmUp: 0, rounds: 1 });
  t.is(series.failed, 8);
  t.regex(series.complaints[0] ?? '', /^no answer: .*plan/);
});

test('the report compares series of the same kind and number of workers', async (t) => {
  const { base } = await serve(t, () => [200, []]);
  const target = new HttpTarget('http', base);
  const own = await runSeries(target, 'stopTimes', REQUEST_KINDS.stopTimes?.make(WORKLOAD) ?? [], 1, {
    warmUp: 0,
    rounds: 4,
  });
  await target.close();
  const other = { ...own, target: 'other', p50: own.p50 * 3, perSecond: own.perSecond / 2 };
  const comparisons = compareSeries([own], [other, { ...other, workers: 2 }]);
  t.is(comparisons.length, 1);
  t.is(Math.round(comparisons[0]?.p50 ?? 0), 3);
  t.is(Math.round(comparisons[0]?.throughput ?? 0), 2);
  const text = reportText({ ...emptyReport('2026-11-23', '8:30', 8), series: [own, other], comparisons });
  t.regex(text, /http +stopTimes +1 +4/);
});

test('every kind makes requests under the router', (t) => {
  for (const [name, kind] of Object.entries(REQUEST_KINDS)) {
    const requests = kind.make(WORKLOAD);
    t.true(requests.length > 0 && requests.length <= WORKLOAD.pairs.length, name);
    for (const { path } of requests) t.true(path.includes('town'), `${name}: ${path}`);
  }
});
