// A simulation of servers: requests that arrive at random, the real admission of Trestle with a clock of its own, and
// searches that take as long as measured ones.
import { setImmediate as turn } from 'node:timers/promises';
import { Admission } from '../../dist/src/server/admission.js';

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The value below which a share of sorted numbers is. */
export function quantile(sorted, share) {
  if (sorted.length === 0) return Number.NaN;
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}

/** Events in the order of their times. */
class Agenda {
  now = 0;
  #heap = [];
  #count = 0;

  after(milliseconds, then) {
    this.#push({ at: this.now + Math.max(0, milliseconds), number: this.#count++, then });
  }

  /** Runs events until there are none, or `until` returns true. */
  async run(until) {
    while (this.#heap.length > 0 && !until()) {
      const { at, then } = this.#pop();
      this.now = at;
      then();
      // What waits for promises goes on before the next event.
      await turn();
    }
  }

  #isBefore(a, b) {
    return a.at < b.at || (a.at === b.at && a.number < b.number);
  }

  #push(event) {
    const heap = this.#heap;
    let i = heap.push(event) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.#isBefore(event, heap[parent])) break;
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = event;
  }

  #pop() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1], heap[child])) child += 1;
      if (!this.#isBefore(heap[child], last)) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

/** Processors that share themselves among whatever runs: work takes longer when there is more of it than there are processors. */
class Processors {
  #tasks = new Set();
  #settled = 0;
  #version = 0;

  constructor(agenda, count) {
    this.agenda = agenda;
    this.count = count;
  }

  /** Resolves when `milliseconds` of work are done. */
  run(milliseconds) {
    return new Promise((resolve) => {
      this.#settle();
      this.#tasks.add({ left: milliseconds, resolve });
      this.#plan();
    });
  }

  get #speed() {
    return Math.min(1, this.count / this.#tasks.size);
  }

  #settle() {
    const done = (this.agenda.now - this.#settled) * this.#speed;
    for (const task of this.#tasks) task.left -= done;
    this.#settled = this.agenda.now;
  }

  /** Waits for the task that is done first. */
  #plan() {
    this.#version += 1;
    const version = this.#version;
    const first = Math.min(...[...this.#tasks].map(({ left }) => left));
    if (this.#tasks.size === 0) return;
    this.agenda.after(first / this.#speed, () => {
      if (version !== this.#version) return;
      this.#settle();
      for (const task of this.#tasks) {
        if (task.left > 1e-9) continue;
        this.#tasks.delete(task);
        task.resolve();
      }
      this.#plan();
    });
  }
}

/**
 * Simulates `servers` with `threads` each on one machine, at `rate` requests a second, which go to the server that has the
 * fewest. `service` are times of requests alone, milliseconds, which come again in their order; `outside` is the part of
 * them that needs a processor and no turn, half before the search and half after; `slowdown` is by how much searches take
 * longer when all processors have one, as a share. Resolves with times in milliseconds, and the shares.
 */
export async function simulate({
  servers,
  threads,
  processors,
  rate,
  requests,
  service,
  slowdown,
  outside = 0,
  seed = 1,
}) {
  const agenda = new Agenda();
  const random = randomNumbers(seed);
  const machine = new Processors(agenda, processors);
  const clock = { now: () => agenda.now, after: (milliseconds, then) => agenda.after(milliseconds, then) };
  // The defaults of a server.
  const options = { concurrency: threads, maxQueued: 32, maxWaitMs: 5000, clock };
  const all = Array.from({ length: servers }, () => ({ admission: new Admission(options), open: 0 }));
  let running = 0;
  const times = [];
  let [refused, arrived, ended] = [0, 0, 0];
  const search = async (alone) => {
    const others = Math.min(running, processors - 1) / Math.max(1, processors - 1);
    running += 1;
    await machine.run(alone * (1 + slowdown * others));
    running -= 1;
  };
  const answer = async (server, alone) => {
    const since = agenda.now;
    server.open += 1;
    await machine.run(outside / 2);
    const isAnswered = await server.admission
      .run(() => search(alone))
      .then(
        () => true,
        () => false,
      );
    if (isAnswered) await machine.run(outside / 2);
    if (isAnswered) times.push(agenda.now - since);
    else refused += 1;
    server.open -= 1;
    ended += 1;
  };
  const arrive = () => {
    const alone = Math.max(0, service[arrived % service.length] - outside);
    arrived += 1;
    void answer(
      all.reduce((least, one) => (one.open < least.open ? one : least)),
      alone,
    );
    if (arrived < requests) agenda.after((-Math.log(1 - random()) / rate) * 1000, arrive);
  };
  agenda.after(0, arrive);
  await agenda.run(() => ended === requests);
  times.sort((a, b) => a - b);
  const perSecond = times.length / (agenda.now / 1000);
  return { perSecond, p50: quantile(times, 0.5), p95: quantile(times, 0.95), refused: refused / requests };
}
