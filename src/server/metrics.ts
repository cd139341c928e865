/** Metrics for Prometheus. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AdmissionState } from './admission.js';
import { addGauge } from './gauge.js';

interface UpdaterMetrics {
  readonly router: string;
  /** Position among the router's updaters. */
  readonly number: number;
  readonly type: string;
  /** When it last succeeded, or else when its router began to be served; epoch milliseconds. */
  readonly lastGood: number;
  /** Epoch milliseconds. */
  readonly dataTimestamp?: number;
  readonly failures: number;
  readonly stale: boolean;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of a server. Route labels are rows of the route table, never actual paths. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new Counter({
    name: 'trestle_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  readonly duration = new Histogram({
    name: 'trestle_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  readonly graphLoads = new Counter({
    name: 'trestle_graph_loads_total',
    help: 'Graphs that were loaded, and loads that failed.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  constructor() {
    // Prometheus sees no increase in the first value of a series, so the first failure would be missed.
    for (const outcome of ['loaded', 'failed']) this.graphLoads.inc({ outcome }, 0);
    collectDefaultMetrics({ register: this.registry });
  }

  /** Media type of `text`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in Prometheus' text form. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Shows the searches that run, wait and were refused. */
  watchAdmission(states: () => readonly AdmissionState[]): void {
    const gauge = (name: string, help: string, value: (state: AdmissionState) => number) =>
      addGauge(this.registry, { name, help }, () => states().reduce((sum, state) => sum + value(state), 0));
    gauge('trestle_searches_running', 'Searches that run now.', ({ running }) => running);
    gauge('trestle_searches_queued', 'Searches that wait for their turn.', ({ queued }) => queued);
    gauge('trestle_searches_rejected', 'Searches answered with 503 since the start.', ({ rejected }) => rejected);
  }

  /** Shows the age of the live data; with several serving processes, the highest. */
  watchUpdaters(updaters: () => readonly UpdaterMetrics[]): void {
    const gauge = (name: string, help: string, value: (metrics: UpdaterMetrics) => number | undefined) =>
      new Gauge({
        name,
        help,
        aggregator: 'max',
        labelNames: ['router', 'updater', 'type'],
        registers: [this.registry],
        collect() {
          this.reset();
          for (const metrics of updaters()) {
            const { router, number, type } = metrics;
            const shown = value(metrics);
            if (shown !== undefined) this.set({ router, updater: String(number), type }, shown);
          }
        },
      });
    const since = (epochMs: number | undefined) => (epochMs === undefined ? undefined : (Date.now() - epochMs) / 1000);
    gauge(
      'trestle_updater_age_seconds',
      'Time since an updater last succeeded; before that, since its router began to be served.',
      (u) => since(u.lastGood),
    );
    gauge(
      'trestle_updater_data_age_seconds',
      'Age of the data by its own clock; negative when that clock is ahead.',
      (u) => since(u.dataTimestamp),
    );
    gauge('trestle_updater_failures', 'Failed runs since the router began to be served.', (u) => u.failures);
    gauge('trestle_updater_stale', '1 when the last data was too old and has been dropped.', (u) => Number(u.stale));
  }

  /** Shows how many parts of jobs are left. With a queue, every process reports the number for the whole queue. */
  watchJobs(partsLeft: () => Promise<number>, isQueue: boolean): void {
    const options = {
      name: 'trestle_job_parts_left',
      help: 'Parts of jobs that are neither made nor failed, of all hosts where they share a queue.',
      aggregator: isQueue ? 'max' : 'sum',
    } as const;
    addGauge(this.registry, options, () => partsLeft().catch(() => Number.NaN));
  }

  /** Shows the number of registered routers. */
  watchRouters(count: () => number): void {
    addGauge(this.registry, { name: 'trestle_routers', help: 'Registered routers.', aggregator: 'max' }, count);
  }
}

/** Shows whether Redis can be reached, for servers and workers. */
export function sharedStateGauge(registry: Registry, isUp: () => boolean): void {
  const options = {
    name: 'trestle_shared_state_up',
    help: '1 while Redis can be reached.',
    aggregator: 'min',
  } as const;
  addGauge(registry, options, () => Number(isUp()));
}
