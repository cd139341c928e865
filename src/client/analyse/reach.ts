/** The analysis that is shown; it follows the address and the mouse. */

import { batch, signal } from '@preact/signals';
import type { AnalysisApi } from '../api/analysis.js';
import { type Problem, problemOf } from '../api/problem.js';
import { NewestFirst } from './newest-first.js';
import { gridParameters, longestMinutes, type ReachQuery, type Side, surfaceParameters } from './reach-query.js';
import { readRaster, readTimeGrid, type TravelTimes } from './travel-times.js';

/** The result of an analysis. */
export interface Reached {
  readonly query: ReachQuery;
  /** One for each side. */
  readonly times: readonly TravelTimes[];
}

/** About 60 m. */
const RASTER_DEGREES = 0.0006;

/** Runs analyses, and keeps the latest result. */
export class Reach {
  /** The last result; it is shown until the next one arrives. */
  readonly reached = signal<Reached | undefined>(undefined);
  readonly running = signal(false);
  readonly problem = signal<Problem | undefined>(undefined);
  readonly #requests: NewestFirst<ReachQuery, Reached>;
  #latest: ReachQuery | undefined;

  /** The present analysis, or the last one. */
  get latest(): ReachQuery | undefined {
    return this.#latest;
  }

  constructor(private readonly api: AnalysisApi) {
    this.#requests = new NewestFirst(
      (query) => this.#compute(query),
      (reached) => this.#show(reached),
      (error) => this.#fail(error),
    );
  }

  /** Runs an analysis; without a query, shows none. */
  compute(query: ReachQuery | undefined): void {
    this.#latest = query;
    if (query === undefined) {
      this.#requests.stop();
      batch(() => {
        this.reached.value = undefined;
        this.running.value = false;
        this.problem.value = undefined;
      });
      return;
    }
    this.running.value = true;
    this.#requests.request(query);
  }

  /** Repeats the analysis. */
  retry(): void {
    this.compute(this.#latest);
  }

  async #compute(query: ReachQuery): Promise<Reached> {
    const ask = (side: Side) => (query.window > 0 ? this.#windowTimes(side, query) : this.#gridTimes(side, query));
    return { query, times: await Promise.all(query.sides.map(ask)) };
  }

  async #gridTimes(side: Side, query: ReachQuery): Promise<TravelTimes> {
    const picture = await this.api.timeGrid(gridParameters(side, query));
    const [south = 0, west = 0] = numbers(picture.headers.get('OTPA-Grid-Corner'));
    const [latStep = 1, lonStep = 1] = numbers(picture.headers.get('OTPA-Grid-Cell-Size'));
    const offRoadM = Number(picture.headers.get('OTPA-OffRoad-Dist'));
    return readTimeGrid(picture, { south, west, latStep, lonStep }, { offRoadM, longest: longestMinutes(query) * 60 });
  }

  async #windowTimes(side: Side, query: ReachQuery): Promise<TravelTimes> {
    const id = await this.api.surface(surfaceParameters(side, query));
    const picture = await this.api.raster(id, RASTER_DEGREES);
    return readRaster(picture, numbers(picture.headers.get('Raster-Bounds')), longestMinutes(query) * 60);
  }

  #show(reached: Reached): void {
    batch(() => {
      this.reached.value = reached;
      this.problem.value = undefined;
      if (reached.query === this.#latest) this.running.value = false;
    });
  }

  #fail(error: unknown): void {
    batch(() => {
      this.problem.value = problemOf(error);
      this.reached.value = undefined;
      this.running.value = false;
    });
  }
}

function numbers(header: string | null): number[] {
  return (header ?? '').split(',').map(Number);
}
