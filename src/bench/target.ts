/** Something that answers requests. */

import type { ServicePeriod } from './random-trips.js';
import type { BenchRequest } from './request-kinds.js';

/** An answer that was read completely. */
export interface Answer {
  /** HTTP status; 0 when there was no answer at all. */
  status: number;
  bytes: number;
  /** The body, or the value of a call in process; read after the clock has stopped. */
  value(): unknown;
}

/** The error, if there was no answer. */
export const NO_ANSWER: Answer = { status: 0, bytes: 0, value: () => undefined };

/** Resources that a target has used since the last call. */
export interface Usage {
  /** Largest resident memory of its process so far, bytes. */
  peakBytes?: number;
  /** Delay of its event loop, 99th percentile, milliseconds. */
  eventLoopLagMs?: number;
}

/** A server or an addon under test. */
export interface Target {
  readonly name: string;
  /** Whether it can answer requests of this kind. */
  answers(kind: string): boolean;
  /** Prepares a request for sending; not part of the measured time. */
  prepare(request: BenchRequest): () => Promise<Answer>;
  /** Runs `work`, which times a series, while background work continues. */
  during?<T>(work: () => Promise<T>): Promise<T>;
  usage(): Promise<Usage>;
  /** When a router has service; undefined without transit. */
  servicePeriod(router: string): Promise<ServicePeriod | undefined>;
  /** Today's date where a router is: 2026-11-23. */
  today(router: string): Promise<string>;
  close(): Promise<void>;
}
