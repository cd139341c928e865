// A simulated machine: its clock, its processors and threads.
import { setImmediate as turn } from 'node:timers/promises';

/** A clock, and what is to happen when. */
export class Agenda {
  now = 0;
  #heap = [];
  #count = 0;

  after(milliseconds, then) {
    this.#push({ at: this.now + Math.max(0, milliseconds), number: this.#count++, then });
  }

  /** Lets things happen until there is nothing left, or `until` returns true. */
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

/** Processors that share themselves among the tasks: each takes longer when there are more of them than processors. */
export class Processors {
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
      this.#watch();
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
  #watch() {
    this.#version += 1;
    const version = this.#version;
    if (this.#tasks.size === 0) return;
    const first = Math.min(...[...this.#tasks].map(({ left }) => left));
    this.agenda.after(first / this.#speed, () => {
      if (version !== this.#version) return;
      this.#settle();
      for (const task of this.#tasks) {
        if (task.left > 1e-9) continue;
        this.#tasks.delete(task);
        task.resolve();
      }
      this.#watch();
    });
  }
}

/** A thread, which does one thing after the other. */
export class Thread {
  #last = Promise.resolve();

  constructor(processors) {
    this.processors = processors;
  }

  /** Resolves when `milliseconds` of work are done, after what was asked for before. */
  run(milliseconds) {
    this.#last = this.#last.then(() => this.processors.run(milliseconds));
    return this.#last;
  }
}
