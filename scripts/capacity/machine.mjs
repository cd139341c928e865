// A simulated machine: its clock, processors and threads.
import { setImmediate as turn } from 'node:timers/promises';

/** A clock and the events to come. */
export class Agenda {
  now = 0;
  #events = [];

  /** Calls `then` after some milliseconds, and after all events that were given earlier for the same time. */
  after(milliseconds, then) {
    const at = this.now + Math.max(0, milliseconds);
    const next = this.#events.findIndex((event) => event.at > at);
    this.#events.splice(next < 0 ? this.#events.length : next, 0, { at, then });
  }

  /** Runs the events until none is left, or `until` returns true. */
  async run(until) {
    while (this.#events.length > 0 && !until()) {
      const { at, then } = this.#events.shift();
      this.now = at;
      then();
      // Code that waits for promises continues before the next event.
      await turn();
    }
  }
}

/** Processors that tasks share equally: with more tasks than processors, each task takes longer. */
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

  /** Waits for the task that will be done first. */
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

/** A thread, which does one piece of work after another. */
export class Thread {
  #last = Promise.resolve();

  constructor(processors) {
    this.processors = processors;
  }

  /** Resolves when `milliseconds` of work are done, after all earlier work. */
  run(milliseconds) {
    this.#last = this.#last.then(() => this.processors.run(milliseconds));
    return this.#last;
  }
}
