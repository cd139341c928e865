/** The addon in this process, without HTTP. */

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { EMPTY_ROUTER_CONFIG, parseRouterConfig } from '../config/router-config.js';
import { withPlanLimits } from '../http/params/plan-limits.js';
import { Query } from '../http/params/query.js';
import { requestNow } from '../http/params/routing-request.js';
import { loadAddon } from '../native/addon.js';
import { graphInfo } from '../native/graph-info.js';
import type { Graph, TripGraph } from '../native/types.js';
import { dateOf } from '../zoned-time.js';
import { checkedMembers } from './answer-check.js';
import { periodOf, type ServicePeriod } from './random-trips.js';
import { type BenchRequest, REQUEST_KINDS } from './request-kinds.js';
import type { Answer, Target, Usage } from './target.js';

/** Plans on a graph that this process opened. */
export class InProcessTarget implements Target {
  readonly name = 'in process';
  readonly #lag: IntervalHistogram = monitorEventLoopDelay({ resolution: 5 });

  private constructor(
    /** Closed with the target. */
    readonly graph: Graph & TripGraph,
    /** Milliseconds that opening took. */
    readonly openMs: number,
  ) {
    this.#lag.enable();
  }

  /** Opens a graph file. */
  static async open(path: string): Promise<InProcessTarget> {
    const { Graph } = await loadAddon();
    const started = performance.now();
    const graph = await Graph.open(path);
    return new InProcessTarget(graph, performance.now() - started);
  }

  answers(kind: string): boolean {
    return REQUEST_KINDS[kind]?.format === 'plan';
  }

  prepare({ query }: BenchRequest): () => Promise<Answer> {
    const { routerConfig } = graphInfo(this.graph);
    const config = routerConfig ? parseRouterConfig(routerConfig, 'router-config.json').config : EMPTY_ROUTER_CONFIG;
    const request = withPlanLimits(requestNow(new Query(query), this.graph, config));
    return async () => {
      const outcome = await this.graph.plan(request).catch(() => undefined);
      const checked = outcome && checkedMembers(outcome);
      return { status: outcome ? 200 : 0, bytes: 0, value: () => checked };
    };
  }

  async usage(): Promise<Usage> {
    // The histogram includes the time between two samples; its smallest value is only that time.
    const eventLoopLagMs = this.#lag.count === 0 ? 0 : (this.#lag.percentile(99) - this.#lag.min) / 1e6;
    this.#lag.reset();
    return { peakBytes: process.resourceUsage().maxRSS * 1024, eventLoopLagMs };
  }

  async servicePeriod(): Promise<ServicePeriod | undefined> {
    const { transitServiceStarts, transitServiceEnds } = graphInfo(this.graph);
    return periodOf(transitServiceStarts, transitServiceEnds);
  }

  async today(): Promise<string> {
    return dateOf(Date.now() / 1000, this.graph);
  }

  async close(): Promise<void> {
    this.#lag.disable();
    this.graph.dispose();
  }
}
