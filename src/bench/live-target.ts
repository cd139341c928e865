/** The addon in this process while messages of trip updates arrive. */

import type { Graph } from '../native/types.js';
import type { InProcessTarget } from './in-process-target.js';
import type { ServicePeriod } from './random-trips.js';
import type { BenchRequest } from './request-kinds.js';
import type { Answer, Target, Usage } from './target.js';

/** Milliseconds from one message to the next. */
const INTERVAL_MS = 1000;

/** Plans on the graph of another target, to which a message is applied each second. */
export class LiveTarget implements Target {
  readonly name = 'in process, live';

  /** Does not close the plain target, which the caller has to close. */
  constructor(
    private readonly plain: InProcessTarget,
    private readonly graph: Graph,
    private readonly messages: readonly Uint8Array[],
  ) {}

  answers(kind: string): boolean {
    return this.plain.answers(kind);
  }

  prepare(request: BenchRequest): () => Promise<Answer> {
    return this.plain.prepare(request);
  }

  /** Applies messages while `work` runs, and forgets them after it. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    let next = 0;
    let applied = this.#apply(next);
    await applied;
    const timer = setInterval(() => {
      next += 1;
      // A message waits for the one before, as in an updater.
      applied = applied.then(() => this.#apply(next));
    }, INTERVAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await applied;
      await this.graph.clearTripUpdates();
    }
  }

  usage(): Promise<Usage> {
    return this.plain.usage();
  }

  servicePeriod(): Promise<ServicePeriod | undefined> {
    return this.plain.servicePeriod();
  }

  today(): Promise<string> {
    return this.plain.today();
  }

  async close(): Promise<void> {}

  async #apply(number: number): Promise<void> {
    const bytes = this.messages[number % this.messages.length];
    // The day of the requests may be long past or in the future.
    if (bytes) await this.graph.applyTripUpdates(bytes, { purgeExpiredData: false });
  }
}
