/** Jobs that this process computes itself. Other processes can follow and cancel them by their files. */

import { isDeepStrictEqual } from 'node:util';
import { Queues } from '../queues.js';
import { SILENT_MS } from '../storage/writer.js';
import { Expiry, type ExpiryOptions } from './expiry.js';
import { type Job, LIMITS } from './job.js';
import { FILES, type JobFiles, type JobPlace } from './job-files.js';
import { type Jobs, type NewJob, TooManyJobs } from './jobs.js';
import { isOrphan, LocalJob, readProgress } from './local-job.js';
import type { OnPart, PartMaker } from './part-maker.js';
import { isEnded, type JobProgress, type JobStatus } from './status.js';
import { findStatus, isResumable, jobOf, latestFirst, removeEnded, writeJob } from './stored-jobs.js';

/** What is needed to compute jobs. */
interface LocalJobsOptions extends ExpiryOptions {
  readonly place: JobPlace;
  readonly maker: PartMaker;
  /** Parts that are made at once. */
  readonly parallel: number;
  readonly onPart?: OnPart;
  /** Runs a change of a job while nobody else changes it, in any process; absent where there is one process. */
  readonly withLock?: <T>(id: string, work: () => Promise<T>) => Promise<T>;
  /** A process that cannot be asked has ended if it writes nothing for this long, milliseconds. */
  readonly silentMs?: number;
  /** Called when a job has ended or cannot continue. */
  readonly onEnd?: (status: JobStatus) => void;
}

/** Pause between two checks whether another process has cancelled a job, milliseconds. */
const LOOK_MS = 1000;
/** Pause until a place of jobs that could not be read is tried again, milliseconds. */
const AGAIN_MS = 10_000;

/** Jobs of a place. */
export class LocalJobs implements Jobs {
  readonly #jobs = new Map<string, LocalJob>();
  /** Changes of each job where there is one process: a job that is removed is not resumed at the same time. */
  readonly #changes = new Queues();
  /** Parts that are being made. */
  readonly #making = new Set<Promise<void>>();
  #busy = 0;
  #isClosed = false;
  #looking: NodeJS.Timeout | undefined;
  #takingOver: NodeJS.Timeout | undefined;
  readonly #expiry: Expiry;

  constructor(private readonly options: LocalJobsOptions) {
    this.#expiry = new Expiry(this, options);
  }

  /** A place that cannot be read is tried again later: the server has other work than jobs. */
  async open(takesOver: boolean): Promise<void> {
    if (!takesOver) return;
    await this.#takeOverAll();
    await this.#expiry.open();
  }

  async #takeOverAll(): Promise<void> {
    try {
      for (const id of await this.options.place.ids()) {
        await this.#change(id, () => this.#takeOver(id)).catch((error) => this.options.onError?.(error));
      }
    } catch (error) {
      this.options.onError?.(error);
      if (!this.#isClosed) this.#takingOver = setTimeout(() => void this.#takeOverAll(), AGAIN_MS).unref();
    }
  }

  /** `before` is the progress that the job had some time ago. */
  async #takeOver(id: string, before?: JobProgress): Promise<void> {
    if (this.#isClosed || this.#jobs.has(id)) return;
    const files = await this.options.place.files(id);
    // It may have been removed since.
    if ((await files.readText(FILES.job)) === undefined) return;
    const progress = await readProgress(files);
    const isOrphaned = isOrphan(progress);
    if (isOrphaned ?? isDeepStrictEqual(progress, before)) {
      const isCancelled = (await files.readText(FILES.cancelled)) !== undefined;
      const job = await jobOf(files, id);
      if (isCancelled) await (await LocalJob.begin(job, files)).cancel();
      else await this.#begin(job, files);
    } else if (isOrphaned === undefined) {
      this.#takeOverLater(id, progress);
    }
  }

  #takeOverLater(id: string, before: JobProgress): void {
    const again = () => this.#change(id, () => this.#takeOver(id, before));
    const later = () => void again().catch((error) => this.options.onError?.(error));
    setTimeout(later, this.options.silentMs ?? SILENT_MS).unref();
  }

  async submit(made: NewJob): Promise<JobStatus> {
    const unfinished = (await this.list()).filter(({ progress }) => !isEnded(progress));
    if (unfinished.length >= LIMITS.unfinished) throw new TooManyJobs();
    // Before it has begun, it looks like one that was interrupted.
    return this.#change(made.job.id, async () => {
      const files = await writeJob(this.options.place, made);
      return (await this.#begin(made.job, files)).status;
    });
  }

  async list(): Promise<JobStatus[]> {
    return latestFirst(await this.options.place.ids(), (id) => this.get(id), this.options.onError);
  }

  async get(id: string): Promise<JobStatus | undefined> {
    const local = this.#jobs.get(id);
    // One that has ended here may have been resumed or removed by another process.
    if (local !== undefined && !local.isEnded) return local.status;
    return findStatus(this.options.place, id, readProgress);
  }

  cancel(id: string): Promise<boolean> {
    return this.#change(id, () => this.#cancel(id));
  }

  async #cancel(id: string): Promise<boolean> {
    const status = await this.get(id);
    if (status === undefined || isEnded(status.progress)) return false;
    const local = this.#jobs.get(id);
    if (local === undefined) await (await this.options.place.files(id)).write(FILES.cancelled, '');
    else await local.cancel();
    return true;
  }

  resume(id: string): Promise<boolean> {
    return this.#change(id, async () => {
      const status = await this.get(id);
      if (!isResumable(status)) return false;
      await this.#begin(status.job, await this.options.place.files(id));
      return true;
    });
  }

  remove(id: string): Promise<boolean> {
    return this.#change(id, () => removeEnded(this, this.options.place, id));
  }

  #change<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.options.withLock?.(id, work) ?? this.#changes.take(id, work);
  }

  /** Number of parts that are being made. */
  get running(): number {
    return this.#making.size;
  }

  async partsLeft(): Promise<number> {
    return [...this.#jobs.values()].reduce((sum, local) => sum + local.partsLeft, 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    clearTimeout(this.#takingOver);
    this.#expiry.close();
    await Promise.all([...this.#jobs.values()].map((local) => local.abandon()));
    await Promise.all(this.#making);
    this.options.maker.close();
  }

  /** Begins or continues a job. */
  async #begin(job: Job, files: JobFiles): Promise<LocalJob> {
    const local = await LocalJob.begin(job, files);
    this.#jobs.set(job.id, local);
    this.#looking ??= setInterval(() => void this.#look(), LOOK_MS).unref();
    this.#fill();
    return local;
  }

  /** Gives every free thread a part: of the most urgent job, or among those the oldest. */
  #fill(): void {
    const order = [...this.#jobs.values()].sort(
      (a, b) => b.job.priority - a.job.priority || (a.job.created < b.job.created ? -1 : 1),
    );
    for (const local of order) {
      while (this.#busy < this.options.parallel && !this.#isClosed) {
        const part = local.take();
        if (part === undefined) break;
        this.#busy += 1;
        const made = this.#make(local, part).finally(() => this.#making.delete(made));
        this.#making.add(made);
      }
      // All parts may already be made when the job begins.
      void local.check().then(
        () => this.#forgetIfEnded(local),
        (error) => this.options.onError?.(error),
      );
    }
  }

  async #make(local: LocalJob, part: number): Promise<void> {
    const { maker, onPart } = this.options;
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    try {
      await maker.make(local.job, local.files, part, local.signal).then(
        (digest) => {
          onPart?.(local.job, part, seconds());
          return local.finished(part, digest);
        },
        (error) => {
          // When a job is cancelled or the process ends, its searches are stopped.
          if (!local.signal.aborted) onPart?.(local.job, part, seconds(), error);
          return local.failed(part, error);
        },
      );
    } catch (error) {
      // The progress could not be written; the next part tries again.
      this.options.onError?.(error);
    } finally {
      this.#busy -= 1;
      this.#forgetIfEnded(local);
      this.#fill();
    }
  }

  #forgetIfEnded(local: LocalJob): void {
    if (!local.isEnded || this.#isClosed || this.#jobs.get(local.job.id) !== local) return;
    this.#jobs.delete(local.job.id);
    if (this.#jobs.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      this.options.maker.closeUnused();
    }
    this.options.onEnd?.(local.status);
  }

  async #look(): Promise<void> {
    for (const local of this.#jobs.values()) {
      const cancelled = await local.files.readText(FILES.cancelled).catch(() => undefined);
      const looked = cancelled === undefined ? local.check() : local.cancel();
      await looked.catch((error) => this.options.onError?.(error));
      this.#forgetIfEnded(local);
    }
  }
}
