/** Jobs that this process computes itself. Other processes can follow and cancel them by their files. */

import { isProcessAlive } from '../storage/unfinished.js';
import { type Job, LIMITS } from './job.js';
import { FILES, type JobFiles, type JobPlace } from './job-files.js';
import { isOrphan, JobRun, readProgress } from './job-run.js';
import { type Jobs, type NewJob, TooManyJobs } from './jobs.js';
import { makePart, type OnPart, type PartMaker } from './make-part.js';
import { isEnded, type JobStatus } from './status.js';
import { findStatus, isResumable, jobOf, latestFirst, removeEnded, removeOld, writeJob } from './stored-jobs.js';

/** What is needed to compute jobs. */
export interface LocalJobsOptions {
  readonly place: JobPlace;
  readonly maker: PartMaker;
  /** Parts that are made at once. */
  readonly parallel: number;
  /** Jobs that ended longer ago are removed with their results, milliseconds; absent: never. */
  readonly keepMs?: number;
  readonly onPart?: OnPart;
  /** Called when a job has ended or cannot continue. */
  readonly onEnd?: (status: JobStatus) => void;
  readonly onError?: (error: unknown) => void;
}

/** Pause between two checks whether another process has cancelled a job, milliseconds. */
const LOOK_MS = 1000;

/** Jobs of a place. */
export class LocalJobs implements Jobs {
  readonly #runs = new Map<string, JobRun>();
  /** Parts that are being made. */
  readonly #making = new Set<Promise<void>>();
  #busy = 0;
  #isClosed = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(private readonly options: LocalJobsOptions) {}

  async open(takesOver: boolean): Promise<void> {
    if (!takesOver) return;
    await removeOld(this, this.options.keepMs);
    for (const id of await this.options.place.ids()) {
      if (!this.#runs.has(id)) await this.#takeOver(id).catch((error) => this.options.onError?.(error));
    }
  }

  async #takeOver(id: string): Promise<void> {
    const files = await this.options.place.files(id);
    const progress = await readProgress(files);
    if (isOrphan(progress, isProcessAlive)) await this.#begin(await jobOf(files, id), files);
  }

  async submit(made: NewJob): Promise<JobStatus> {
    await removeOld(this, this.options.keepMs);
    const unfinished = (await this.list()).filter(({ progress }) => !isEnded(progress));
    if (unfinished.length >= LIMITS.unfinished) throw new TooManyJobs();
    const files = await writeJob(this.options.place, made);
    return (await this.#begin(made.job, files)).status;
  }

  async list(): Promise<JobStatus[]> {
    return latestFirst(await this.options.place.ids(), (id) => this.get(id), this.options.onError);
  }

  async get(id: string): Promise<JobStatus | undefined> {
    return this.#runs.get(id)?.status ?? findStatus(this.options.place, id, readProgress);
  }

  async cancel(id: string): Promise<boolean> {
    const status = await this.get(id);
    if (status === undefined || isEnded(status.progress)) return false;
    const run = this.#runs.get(id);
    if (run === undefined) await (await this.options.place.files(id)).write(FILES.cancelled, '');
    else await run.cancel();
    return true;
  }

  async resume(id: string): Promise<boolean> {
    const status = await this.get(id);
    if (!isResumable(status)) return false;
    await this.#begin(status.job, await this.options.place.files(id));
    return true;
  }

  remove(id: string): Promise<boolean> {
    return removeEnded(this, this.options.place, id);
  }

  /** Number of parts that are being made. */
  get running(): number {
    return this.#making.size;
  }

  async partsLeft(): Promise<number> {
    return [...this.#runs.values()].reduce((sum, run) => sum + run.partsLeft, 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    await Promise.all([...this.#runs.values()].map((run) => run.abandon()));
    await Promise.all(this.#making);
    this.options.maker.opened.close();
    this.options.maker.tables.close();
  }

  /** Begins or continues a job. */
  async #begin(job: Job, files: JobFiles): Promise<JobRun> {
    const run = await JobRun.begin(job, files);
    this.#runs.set(job.id, run);
    this.#looking ??= setInterval(() => void this.#look(), LOOK_MS).unref();
    this.#fill();
    return run;
  }

  /** Gives every free thread a part: of the most urgent job, or among those the oldest. */
  #fill(): void {
    const order = [...this.#runs.values()].sort(
      (a, b) => b.job.priority - a.job.priority || (a.job.created < b.job.created ? -1 : 1),
    );
    for (const run of order) {
      while (this.#busy < this.options.parallel && !this.#isClosed) {
        const part = run.take();
        if (part === undefined) break;
        this.#busy += 1;
        const made = this.#make(run, part).finally(() => this.#making.delete(made));
        this.#making.add(made);
      }
      // All parts may already be made when the job begins.
      void run.check().then(
        () => this.#forgetIfEnded(run),
        (error) => this.options.onError?.(error),
      );
    }
  }

  async #make(run: JobRun, part: number): Promise<void> {
    const { maker, onPart } = this.options;
    const stoppable: PartMaker = {
      ...maker,
      run: (search) => maker.run((options) => search({ ...options, signal: run.signal })),
    };
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1000;
    try {
      await makePart(stoppable, run.job, run.files, part).then(
        (digest) => {
          onPart?.(run.job, part, seconds());
          return run.finished(part, digest);
        },
        (error) => {
          // When a job is cancelled or the process ends, its searches are stopped.
          if (!run.signal.aborted) onPart?.(run.job, part, seconds(), error);
          return run.failed(part, error);
        },
      );
    } catch (error) {
      // The progress could not be written; the next part tries again.
      this.options.onError?.(error);
    } finally {
      this.#busy -= 1;
      this.#forgetIfEnded(run);
      this.#fill();
    }
  }

  #forgetIfEnded(run: JobRun): void {
    if (!run.isEnded || this.#isClosed || this.#runs.get(run.job.id) !== run) return;
    this.#runs.delete(run.job.id);
    if (this.#runs.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      this.options.maker.opened.close();
    }
    this.options.onEnd?.(run.status);
  }

  async #look(): Promise<void> {
    for (const run of this.#runs.values()) {
      const cancelled = await run.files.readText(FILES.cancelled).catch(() => undefined);
      const looked = cancelled === undefined ? run.check() : run.cancel();
      await looked.catch((error) => this.options.onError?.(error));
      this.#forgetIfEnded(run);
    }
  }
}
