/** Workers of a queue of jobs as processes, for tests. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ExecutionContext } from 'ava';
import { jobPlace } from '../../src/jobs/job-place.js';
import { QueuedJobs } from '../../src/jobs/queued-jobs.js';
import { isEnded, type JobStatus } from '../../src/jobs/status.js';
import { MAIN } from './command.js';
import { temporaryDirectory } from './temporary-directory.js';
import { until } from './until.js';

/** Where a queue and its files are. */
export interface QueuePlace {
  /** Address of Redis. */
  readonly redis: string;
  /** A folder or `s3://…`. */
  readonly jobs: string;
  readonly graphs: string;
  readonly s3Endpoint?: string;
}

/** A worker process. */
export class WorkerProcess {
  /** Messages of its log. */
  readonly messages: string[] = [];
  #process: ChildProcess | undefined;

  constructor(
    private readonly t: ExecutionContext,
    private readonly place: QueuePlace,
    private readonly parallel = 1,
    private readonly more: readonly string[] = [],
    private readonly env: Readonly<Record<string, string>> = {},
  ) {
    t.teardown(() => this.kill());
  }

  /** Starts it; resolves when it takes parts. */
  async start(): Promise<void> {
    const { redis, jobs, graphs, s3Endpoint } = this.place;
    const cache = await temporaryDirectory(this.t);
    const args = ['--redis', redis, '--jobs', jobs, '--graphs', graphs, '--cache', cache];
    args.push('--maxThreads', String(this.parallel), ...this.more);
    if (s3Endpoint !== undefined) args.push('--s3Endpoint', s3Endpoint);
    const child = spawn(process.execPath, [MAIN, 'work', ...args], {
      env: { ...process.env, ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      const note = (line: string) => {
        this.messages.push(line);
        if (line.includes('"working"')) resolve();
      };
      for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', note);
    });
  }

  /**
   * Ends it, by default at once. Resolves to its exit code; undefined for one that a signal ended, or that did not run.
   */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | undefined> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return undefined;
    child.kill(signal);
    await once(child, 'exit');
    this.messages.length = 0;
    return child.exitCode ?? undefined;
  }

  /** Number of the process; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** The port of its health and metrics, if it has one. */
  get port(): number | undefined {
    const working = this.messages.find((line) => line.includes('"working"'));
    return working === undefined ? undefined : JSON.parse(working).port;
  }

  /** Parts that it has made since its start. */
  get made(): number {
    return this.messages.filter((line) => line.includes('"part made"')).length;
  }
}

/** The jobs of a queue as a server sees them. */
export async function openQueue(t: ExecutionContext, { redis, jobs, s3Endpoint }: QueuePlace): Promise<QueuedJobs> {
  const queue = new QueuedJobs({ place: jobPlace(jobs, s3Endpoint), redis: { url: redis, prefix: 'trestle' } });
  await queue.open();
  t.teardown(() => queue.close());
  return queue;
}

/** The job once it has ended; it may take as long as it wants while it goes on. */
export async function endOf(queue: QueuedJobs, id: string): Promise<JobStatus> {
  for (let known: JobStatus | undefined; ; ) {
    const before = known?.progress.partsDone;
    await until(async () => {
      known = (await queue.get(id).catch(() => undefined)) ?? known;
      return known !== undefined && (isEnded(known.progress) || known.progress.partsDone !== before);
    });
    if (known !== undefined && isEnded(known.progress)) return known;
  }
}
