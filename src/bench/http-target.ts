/** A server of the interface, over kept connections. */

import { readFile } from 'node:fs/promises';
import { Agent, type Dispatcher } from 'undici';
import { jsonOf } from '../json.js';
import { periodOf, type ServicePeriod } from './random-trips.js';
import type { BenchRequest } from './request-kinds.js';
import { type Answer, NO_ANSWER, type Target, type Usage } from './target.js';

const TIMEOUT_MS = 120_000;

/** Answers over HTTP; `base` is the address with the mount, such as `http://127.0.0.1:8080/otp`. */
export class HttpTarget implements Target {
  readonly #base: string;
  /**
   * The runtime's own client takes as long as some of the timed answers, and may use the processors that the server
   * runs on.
   */
  readonly #client = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

  constructor(
    readonly name: string,
    base: string,
    /** Process id of the server, when it runs on this machine. */
    readonly pid?: number,
  ) {
    this.#base = base.replace(/\/+$/, '');
  }

  answers(): boolean {
    return true;
  }

  prepare({ method, path, body }: BenchRequest): () => Promise<Answer> {
    const { origin, pathname, search } = new URL(this.#base + path);
    const accepted = { Accept: 'application/json, */*;q=0.1' };
    const headers = body === undefined ? accepted : { ...accepted, 'Content-Type': 'application/json' };
    const request = { origin, path: pathname + search, method, headers, body: body ?? null };
    return () => this.#send(request).catch(() => NO_ANSWER);
  }

  async usage(): Promise<Usage> {
    const usage: Usage = { ...(await this.#published()) };
    const peak = this.pid === undefined ? undefined : await peakOfProcess(this.pid);
    if (peak !== undefined) usage.peakBytes = peak;
    return usage;
  }

  async servicePeriod(router: string): Promise<ServicePeriod | undefined> {
    const answer = await this.prepare({ method: 'GET', path: `/routers/${encodeURIComponent(router)}`, query: '' })();
    const info = answer.value() as { transitServiceStarts?: number; transitServiceEnds?: number } | undefined;
    return periodOf(info?.transitServiceStarts, info?.transitServiceEnds);
  }

  /** In the time zone of the first agency; without agencies, in UTC. */
  async today(router: string): Promise<string> {
    const feed = await this.#first(`/routers/${encodeURIComponent(router)}/index/feeds`);
    const agency = await this.#first(`/routers/${encodeURIComponent(router)}/index/agencies/${feed}`);
    const { timezone = 'UTC' } = (agency ?? {}) as { timezone?: string };
    // In this language, dates begin with the year.
    return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format();
  }

  async close(): Promise<void> {
    await this.#client.destroy();
  }

  /** The first element of a list. */
  async #first(path: string): Promise<unknown> {
    const answer = await this.prepare({ method: 'GET', path, query: '' })();
    const list = answer.value();
    return Array.isArray(list) ? list[0] : undefined;
  }

  async #send(request: Dispatcher.RequestOptions): Promise<Answer> {
    const { statusCode, body } = await this.#client.request(request);
    const bytes = Buffer.from(await body.arrayBuffer());
    return { status: statusCode, bytes: bytes.length, value: () => jsonOf(bytes.toString('utf8')) };
  }

  /** The metrics that a server publishes, if it does. */
  async #published(): Promise<Usage> {
    const text = await fetch(new URL('/metrics', this.#base))
      .then((response) => (response.ok ? response.text() : ''))
      .catch(() => '');
    const usage: Usage = {};
    const lag = figure(text, 'nodejs_eventloop_lag_p99_seconds');
    // The metric includes the time between two samples; its smallest value is only that time.
    const idle = figure(text, 'nodejs_eventloop_lag_min_seconds') ?? 0;
    const resident = figure(text, 'process_resident_memory_bytes');
    if (lag !== undefined) usage.eventLoopLagMs = Math.max(0, lag - idle) * 1000;
    if (resident !== undefined) usage.peakBytes = resident;
    return usage;
  }
}

function figure(text: string, name: string): number | undefined {
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1];
  return value === undefined || Number.isNaN(Number(value)) ? undefined : Number(value);
}

/** High-water mark of a process's resident memory, where the system has it (Linux). */
async function peakOfProcess(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
