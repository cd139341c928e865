/** Metrics of the parts of jobs that a process makes. */

import { Counter, Histogram, type Registry } from 'prom-client';
import { addGauge } from './gauge.js';

/** Parts take from tenths of a second to some minutes. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** The parts that were made, and those that failed. */
export class PartMetrics {
  readonly #parts: Counter<'outcome'>;
  readonly #seconds: Histogram;

  /** `running` counts the parts that are being made. */
  constructor(registry: Registry, running: () => number) {
    const registers = [registry];
    this.#parts = new Counter({
      name: 'trestle_job_parts_total',
      help: 'Parts of jobs that this process has made, and tries of parts that failed.',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of ['made', 'failed']) this.#parts.inc({ outcome }, 0);
    this.#seconds = new Histogram({
      name: 'trestle_job_part_duration_seconds',
      help: 'Time from the beginning of a part to the end of its file.',
      buckets: SECONDS,
      registers,
    });
    addGauge(registry, { name: 'trestle_job_parts_running', help: 'Parts of jobs that are being made now.' }, running);
  }

  /** Counts a part that took this long and was made, or failed with an error. */
  count(seconds: number, error: unknown): void {
    this.#parts.inc({ outcome: error === undefined ? 'made' : 'failed' });
    if (error === undefined) this.#seconds.observe(seconds);
  }
}
