// Requests to servers: in a closed loop, or at random times at a rate whether or not former ones were answered.
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile, randomNumbers } from './simulate.mjs';

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** Status and time of a request, milliseconds. */
export function timed(url) {
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
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    refused: (results.length - times.length) / results.length,
    times,
    inOrder: results.map(({ milliseconds }) => milliseconds),
  };
}

/** As many requests at a time as `parallel`, until all are answered. */
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

/** Requests at random times, `rate` a second, each to the server of `bases` that has the fewest open ones. */
export async function openLoop(bases, paths, rate, seconds, seed = 1) {
  const random = randomNumbers(seed);
  const open = bases.map(() => 0);
  const running = [];
  const begun = performance.now();
  for (let at = 0, i = 0; at < seconds * 1000; at += (-Math.log(1 - random()) / rate) * 1000, i += 1) {
    const early = begun + at - performance.now();
    if (early > 0) await pause(early);
    const server = open.indexOf(Math.min(...open));
    open[server] += 1;
    const asked = timed(bases[server] + paths[i % paths.length]).finally(() => {
      open[server] -= 1;
    });
    running.push(asked);
  }
  const results = await Promise.all(running);
  return { sent: running.length, ...summary(results, (performance.now() - begun) / 1000) };
}
