// A simulation of servers: requests at random times, Trestle's real admission with a simulated clock, and searches that
// take as long as the measured ones.
import { percentile } from '../../dist/src/bench/statistics.js';
import { Admission } from '../../dist/src/server/admission.js';
import { arrivals, leastBusy } from './arrivals.mjs';
import { Agenda, Processors, Thread } from './machine.mjs';

/** The defaults of a server. */
const ADMISSION = { maxQueued: 32, maxWaitMs: 5000 };

/** Milliseconds of a thread until a request is admitted or refused: half of what a refused one takes in all. */
const untilAdmission = (cost) => cost.refused / 2;
/** Milliseconds of a thread after the search or the refusal. */
const afterAdmission = (cost, isAnswered) => (isAnswered ? cost.answered : cost.refused) - untilAdmission(cost);

/**
 * Simulates `servers` with `threads` each on one machine, at `rate` requests a second. `costs` has the milliseconds of
 * `searches` alone, which are used in turn, and those of the `firstThread` of a server and of the `client` for an
 * `answered` and a `refused` request. Searches take longer by the share `slowdown` when every processor has one. Resolves
 * with times in milliseconds, and the share that was refused.
 */
export async function simulate({ servers, threads, processors, rate, requests, costs, seed = 1 }) {
  const agenda = new Agenda();
  const machine = new Processors(agenda, processors);
  const clock = { now: () => agenda.now, after: (milliseconds, then) => agenda.after(milliseconds, then) };
  const all = Array.from({ length: servers }, () => ({
    admission: new Admission({ ...ADMISSION, concurrency: threads, clock }),
    firstThread: new Thread(machine),
    open: 0,
  }));
  const client = new Thread(machine);
  let [running, ended] = [0, 0];
  const times = [];
  const search = async (alone) => {
    const others = Math.min(running, processors - 1) / Math.max(1, processors - 1);
    running += 1;
    await machine.run(alone * (1 + costs.slowdown * others));
    running -= 1;
  };
  const ask = async (alone) => {
    const since = agenda.now;
    const server = leastBusy(all);
    server.open += 1;
    await client.run(untilAdmission(costs.client));
    await server.firstThread.run(untilAdmission(costs.firstThread));
    const isAnswered = await server.admission
      .run(() => search(alone))
      .then(
        () => true,
        () => false,
      );
    await server.firstThread.run(afterAdmission(costs.firstThread, isAnswered));
    await client.run(afterAdmission(costs.client, isAnswered));
    if (isAnswered) times.push(agenda.now - since);
    server.open -= 1;
    ended += 1;
  };
  const moments = arrivals(rate, seed);
  const arrive = (number) => {
    void ask(costs.searches[number % costs.searches.length]);
    if (number + 1 < requests) agenda.after(moments.next().value - agenda.now, () => arrive(number + 1));
  };
  agenda.after(moments.next().value, () => arrive(0));
  await agenda.run(() => ended === requests);
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / (agenda.now / 1000),
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    refused: (requests - times.length) / requests,
  };
}
