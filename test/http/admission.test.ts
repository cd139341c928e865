/** Which searches run, wait and are refused; with a clock that the tests control. */

import test from 'ava';
import { Random } from '../../src/bench/random.js';
import { BusyError } from '../../src/http-error.js';
import { Admission, type AdmissionOptions, type Clock } from '../../src/server/admission.js';

/** A clock that stands still until everything caused at a moment has happened. */
class TurnedClock implements Clock {
  #now = 0;
  #alarms: { at: number; then: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, then: () => void): void {
    this.#alarms.push({ at: this.#now + milliseconds, then });
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** Advances it to a moment and triggers each alarm on the way. */
  async turnTo(end: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#alarms.sort((a, b) => a.at - b.at);
      const [next] = this.#alarms;
      if (next === undefined || next.at > end) break;
      this.#alarms.shift();
      this.#now = Math.max(this.#now, next.at);
      next.then();
    }
    this.#now = end;
  }
}

/** The outcomes of searches that arrived one after the other. */
async function flood(options: Partial<AdmissionOptions>, { count = 400, everyMs = 3, takesMs = 10 } = {}) {
  const clock = new TurnedClock();
  const admission = new Admission({
    concurrency: 1,
    maxQueued: 30,
    maxWaitMs: 60_000,
    burstMs: 300,
    ...options,
    clock,
  });
  const waits: number[] = [];
  let refused = 0;
  for (let i = 0; i < count; i += 1) {
    clock.after(i * everyMs, async () => {
      const came = clock.now();
      try {
        await admission.run(() => {
          waits.push(clock.now() - came);
          return clock.pause(takesMs);
        });
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        refused += 1;
      }
    });
  }
  await clock.turnTo(count * everyMs + 60_000);
  const { running, queued } = admission.state;
  return { waits, refused, left: running + queued };
}

const quantile = (numbers: readonly number[], q: number) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * q)] ?? Number.NaN;

test('a burst waits, first come, first served', async (t) => {
  const { waits, refused, left } = await flood({}, { count: 20 });
  t.deepEqual(
    waits,
    Array.from({ length: 20 }, (_, i) => 7 * i),
  );
  t.deepEqual([refused, left], [0, 0]);
});

test('a queue that stays full: searches that are served hardly wait, the others are soon refused', async (t) => {
  const { waits, refused, left } = await flood({}, { count: 2000 });
  t.is(waits.length + refused, 2000);
  t.true(refused > 1200, `${refused} refused`);
  const late = waits.slice(Math.floor(waits.length / 2));
  // Three times the capacity: a search in three milliseconds, and ten until one is done.
  t.true(quantile(late, 0.95) <= 3, `p95 of the waits ${quantile(late, 0.95)} ms`);
  t.is(left, 0);
});

/** Thirty seconds of clients that each send the next search when they have the answer to the last one. */
function batch(clients: number) {
  const clock = new TurnedClock();
  const admission = new Admission({ concurrency: 2, maxQueued: 32, maxWaitMs: 5000, clock });
  const answered: number[] = [];
  const refused: number[] = [];
  const search = async () => {
    const result = await admission
      .run(() => clock.pause(20))
      .then(
        () => answered,
        () => refused,
      );
    result.push(clock.now());
  };
  const client = async () => {
    for (; clock.now() < 30_000; await clock.pause(1)) await search();
  };
  for (let i = 0; i < clients; i += 1) clock.after(0, client);
  return { clock, search, answered, refused };
}

test('clients that wait for their answers are never refused while they all fit into the queue', async (t) => {
  for (const clients of [8, 20, 34]) {
    const { clock, answered, refused } = batch(clients);
    await clock.turnTo(40_000);
    t.deepEqual(refused, [], `${clients} clients`);
    t.true(answered.length > 2800, `${answered.length} of 3000 answered`);
  }
});

test('a moment of too many searches costs a batch no more than that', async (t) => {
  const { clock, search, refused } = batch(34);
  for (let i = 0; i < 20; i += 1) clock.after(10_000 + i * 10, search);
  await clock.turnTo(40_000);
  t.true(refused.length > 0 && refused.length < 100, `${refused.length} refused`);
  t.deepEqual(
    refused.filter((at) => at > 12_000),
    [],
  );
});

test('after an overload there are bursts again', async (t) => {
  const clock = new TurnedClock();
  const admission = new Admission({ concurrency: 1, maxQueued: 5, maxWaitMs: 60_000, burstMs: 300, clock });
  const search = () => admission.run(() => clock.pause(10)).catch(() => {});
  for (let i = 0; i < 1000; i += 1) clock.after(i * 3, search);
  await clock.turnTo(10_000);
  const { rejected } = admission.state;
  t.true(rejected > 500);
  for (const at of [0, 1000]) clock.after(at, search);
  await clock.turnTo(12_000);
  for (let i = 0; i < 6; i += 1) void search();
  await clock.turnTo(13_000);
  t.is(admission.state.rejected, rejected);
});

test('an overload ends when demand is below capacity, although some searches still have to wait', async (t) => {
  const clock = new TurnedClock();
  const admission = new Admission({ concurrency: 2, maxQueued: 32, maxWaitMs: 5000, clock });
  const random = new Random(1, 'arrivals');
  const exponential = (mean: number) => -Math.log(1 - random.integer(0, 999_999) / 1_000_000) * mean;
  const refused: number[] = [];
  /** Searches of 20 ms on average come until a moment, so many a second; a hundred a second can be done. */
  const arrive = (since: number, until: number, perSecond: number) => {
    for (let at = since; at < until; at += exponential(1000 / perSecond)) {
      const takes = exponential(20);
      clock.after(at, () => void admission.run(() => clock.pause(takes)).catch(() => refused.push(clock.now())));
    }
  };
  arrive(0, 3000, 250);
  arrive(3000, 30_000, 80);
  await clock.turnTo(40_000);
  const from = (since: number) => refused.filter((at) => at >= since).length;
  t.true(from(0) > 200, 'there was an overload');
  // A queue that happens to stay busy for a second counts as one again, for about a second.
  t.true(from(8000) < 60, `${from(8000)} of some 1760 refused`);
});

test('a full queue refuses', async (t) => {
  const { refused, waits } = await flood({ maxQueued: 3 }, { count: 12, everyMs: 0 });
  t.deepEqual([refused, waits], [8, [0, 10, 20, 30]]);
});

test('a client that leaves frees its place in the queue', async (t) => {
  const clock = new TurnedClock();
  const admission = new Admission({ concurrency: 1, maxQueued: 5, maxWaitMs: 1000, clock });
  const first = admission.run(() => clock.pause(50));
  const leaving = new AbortController();
  const left = admission.run(() => clock.pause(0), leaving.signal);
  t.is(admission.state.queued, 1);
  leaving.abort();
  await t.throwsAsync(left);
  t.is(admission.state.queued, 0);
  await clock.turnTo(100);
  await first;
});

test('searches that wait for idle turns come after all others, and may give up', async (t) => {
  const clock = new TurnedClock();
  const admission = new Admission({ concurrency: 1, maxQueued: 5, maxWaitMs: 60_000, clock });
  const order: string[] = [];
  const search = (name: string) => () => {
    order.push(name);
    return clock.pause(10);
  };
  const stop = new AbortController();
  void admission.run(search('first'));
  const patient = admission.runWhenIdle(search('patient'), new AbortController().signal);
  const left = admission.runWhenIdle(search('left'), stop.signal);
  void admission.run(search('second'));
  clock.after(5, () => stop.abort(new Error('not needed')));
  await Promise.all([t.throwsAsync(left, { message: 'not needed' }), clock.turnTo(25)]);
  void admission.run(search('third'));
  await clock.turnTo(100);
  await patient;
  t.deepEqual(order, ['first', 'second', 'patient', 'third']);
  t.like(admission.state, { running: 0, queued: 0, rejected: 0 });
  await t.throwsAsync(admission.runWhenIdle(search('late'), stop.signal), { message: 'not needed' });
});
