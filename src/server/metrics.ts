/** Figures for Prometheus. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AdmissionState } from './admission.js';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What is counted and measured. Route labels are the rows of the route table, never raw paths. */
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

  constructor(collectProcess = true) {
    if (collectProcess) collectDefaultMetrics({ register: this.registry });
  }

  /** Media type of `text`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All figures in Prometheus' text form. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Shows the searches that run, wait and were refused. */
  watchAdmission(state: () => AdmissionState): void {
    const gauge = (name: string, help: string, value: (state: AdmissionState) => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(value(state()));
        },
      });
    gauge('trestle_searches_running', 'Searches that run now.', ({ running }) => running);
    gauge('trestle_searches_queued', 'Searches that wait for their turn.', ({ queued }) => queued);
    gauge('trestle_searches_rejected', 'Searches answered with 503 since the start.', ({ rejected }) => rejected);
  }

  /** Shows the number of registered routers. */
  watchRouters(count: () => number): void {
    new Gauge({
      name: 'trestle_routers',
      help: 'Registered routers.',
      aggregator: 'max',
      registers: [this.registry],
      collect() {
        this.set(count());
      },
    });
  }
}
