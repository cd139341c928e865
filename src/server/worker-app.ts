/** Health and metrics of a worker of jobs, which its operators read over HTTP. */

import Koa from 'koa';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { PartWorker } from '../jobs/part-worker.js';
import { sharedStateGauge } from './metrics.js';
import { errors } from './middleware/errors.js';
import { operations } from './middleware/operations.js';
import { PartMetrics } from './part-metrics.js';
import type { Draining } from './shutdown.js';

export class WorkerMetrics {
  readonly #registry = new Registry();
  readonly parts: PartMetrics;

  constructor(worker: PartWorker) {
    collectDefaultMetrics({ register: this.#registry });
    sharedStateGauge(this.#registry, () => worker.isConnected);
    this.parts = new PartMetrics(this.#registry, () => worker.running);
  }

  /** Media type of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in Prometheus' text form. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** The application, which does not listen yet. A worker is ready if it can reach the queue and is not stopping. */
export function workerApp(worker: PartWorker, metrics: WorkerMetrics, draining: Draining, logger: Logger): Koa {
  const readiness = (): [number, string] => {
    if (draining.begun) return [503, 'stopping\n'];
    return worker.isConnected ? [200, 'ready\n'] : [503, 'the queue cannot be reached\n'];
  };
  const app = new Koa();
  app.on('error', (error) => logger.warn({ err: error }, 'connection failed'));
  app.use(errors(logger));
  app.use(operations({ readiness, metrics, metricsText: () => metrics.text() }));
  return app;
}
