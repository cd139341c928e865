// Sends requests to servers: in a closed loop, or at random times, whether or not earlier ones have been answered.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../dist/src/bench/statistics.js';
import { arrivals, leastBusy } from './arrivals.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Status and time of a request, milliseconds. */
function timed(url) {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const sent = get(url, { agent }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve({ status: answer.statusCode, milliseconds: performance.now() - begun }));
    });
    sent.once('error', reject);
  });
}

function summary(results, seconds) {
  const times = results.filter(({ status }) => status === 200).map(({ milliseconds }) => milliseconds);
  times.sort((a, b) => a - b);
  const failed = results.filter(({ status }) => status !== 200 && status !== 503).length;
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return {
    sent: results.length,
    answered: times.length,
    perSecond: times.length / seconds,
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    refused: (results.length - times.length) / results.length,
    inOrder: results.map(({ milliseconds }) => milliseconds),
  };
}

/** Sends all requests, `parallel` at a time. */
export async function closedLoop(urls, parallel) {
  const results = [];
  let next = 0;
  const begun = performance.now();
  const one = async () => {
    while (next < urls.length) {
      const number = next++;
      results[number] = await timed(urls[number]);
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return summary(results, (performance.now() - begun) / 1000);
}

/** Sends requests at random times, `rate` a second, each to the server of `bases` with the fewest open requests. */
export async function openLoop(bases, paths, rate, seconds, seed = 1) {
  const servers = bases.map((base) => ({ base, open: 0 }));
  const running = [];
  const begun = performance.now();
  for (const at of arrivals(rate, seed)) {
    if (at >= seconds * 1000) break;
    const early = begun + at - performance.now();
    if (early > 0) await pause(early);
    const server = leastBusy(servers);
    server.open += 1;
    const asked = timed(server.base + paths[running.length % paths.length]).finally(() => {
      server.open -= 1;
    });
    running.push(asked);
  }
  const results = await Promise.all(running);
  return summary(results, (performance.now() - begun) / 1000);
}
