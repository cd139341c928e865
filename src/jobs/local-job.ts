/** A job that this process computes by itself: which parts are to be made, are done, or have failed. */

import { hostname } from 'node:os';
import { jsonOf } from '../json.js';
import { Queue } from '../queues.js';
import { HEARTBEAT_MS, isProcessAlive, PLACE } from '../storage/writer.js';
import { type Job, partCount } from './job.js';
import { FILES, type FileDigest, type JobFiles, partsMade } from './job-files.js';
import { manifestOf, writeManifest } from './manifest.js';
import {
  endOf,
  failureOf,
  isEnded,
  type JobFailure,
  type JobProgress,
  type JobState,
  MOST_FAILURES,
  NOT_BEGUN,
  statusOf,
} from './status.js';

/** How often a part is tried before it counts as failed. */
export const TRIES = 3;

/** Shortest time between two writings of the progress, milliseconds. */
const WRITE_MS = 1000;

/** This process. */
const OWNER = { host: hostname(), process: process.pid, place: PLACE };

/** How and when a job ended. */
interface End {
  readonly state: JobState;
  readonly at: string;
}

/** A job without a queue, whose parts this process makes. */
export class LocalJob {
  readonly #done = new Map<number, FileDigest>();
  readonly #failures = new Map<number, JobFailure>();
  readonly #tries = new Map<number, number>();
  /** Parts that failed and are to be tried again. */
  readonly #again: number[] = [];
  readonly #stop = new AbortController();
  readonly #started = new Date().toISOString();
  readonly #parts: number;
  #next = 0;
  #running = 0;
  #before = 0;
  #hasBegun = false;
  #isAbandoned = false;
  #ended: End | undefined;
  #ending: Promise<void> | undefined;
  #written = 0;
  #heartbeats = 0;
  readonly #writing = new Queue();

  private constructor(
    readonly job: Job,
    readonly files: JobFiles,
  ) {
    this.#parts = partCount(job);
  }

  /** Begins a job, or continues it with the parts that are missing. */
  static async begin(job: Job, files: JobFiles): Promise<LocalJob> {
    const local = new LocalJob(job, files);
    await files.tidy('ended');
    for (const [part, digest] of await partsMade(files, local.#parts)) local.#done.set(part, digest);
    local.#before = local.#done.size;
    await files.remove(FILES.cancelled);
    await files.remove(FILES.manifest);
    await local.#write();
    return local;
  }

  /** Fires when the job is cancelled. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get progress(): JobProgress {
    return this.#progressAt(this.#ended);
  }

  #progressAt(ended: End | undefined): JobProgress {
    const isHere = ended === undefined && !this.#isAbandoned;
    return {
      state: ended?.state ?? (isHere && this.#hasBegun ? 'running' : 'waiting'),
      partsDone: this.#done.size,
      partsBefore: this.#before,
      failures: [...this.#failures.values()].sort((a, b) => a.part - b.part),
      started: this.#started,
      ...(ended === undefined ? {} : { ended: ended.at }),
      ...(isHere ? { owner: { ...OWNER, heartbeat: this.#heartbeats } } : {}),
    };
  }

  get status() {
    return statusOf(this.job, this.progress, this.files.address, Date.now());
  }

  get partsLeft(): number {
    return this.#parts - this.#done.size - this.#failures.size;
  }

  /** The next part to make; undefined when there is none at present. The caller reports what became of it. */
  take(): number | undefined {
    if (this.#ended !== undefined || this.signal.aborted || this.#failures.size >= MOST_FAILURES) return undefined;
    let part: number | undefined;
    while (this.#next < this.#parts && part === undefined) {
      if (!this.#done.has(this.#next)) part = this.#next;
      this.#next += 1;
    }
    part ??= this.#again.shift();
    if (part === undefined) return undefined;
    this.#running += 1;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      // Other processes see at once that the job runs. If this cannot be written now, it is written with a later part.
      this.#write().catch(() => {});
    }
    return part;
  }

  /** Notes that a part is made. */
  async finished(part: number, digest: FileDigest): Promise<void> {
    this.#running -= 1;
    this.#done.set(part, digest);
    await this.#goOn();
  }

  /** Notes that a part could not be made. */
  async failed(part: number, error: unknown): Promise<void> {
    this.#running -= 1;
    const tries = (this.#tries.get(part) ?? 0) + 1;
    this.#tries.set(part, tries);
    if (!this.signal.aborted) {
      if (tries < TRIES) this.#again.push(part);
      else this.#failures.set(part, failureOf(this.job, part, error));
    }
    await this.#goOn();
  }

  /** Begins no further parts, and stops those that are in progress. */
  async cancel(): Promise<void> {
    this.#stop.abort(new Error('the job was cancelled'));
    await this.#goOn();
  }

  /** Stops without ending the job: it continues in another process, or after a restart. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    this.#stop.abort(new Error('this process is stopping'));
    if (this.#ended === undefined) await this.#write();
  }

  /** Ends the job if there is nothing left to make; else shows from time to time that this process still has it. */
  async check(): Promise<void> {
    if (this.#endState() !== undefined) return this.#goOn();
    const isHere = this.#ended === undefined && !this.#isAbandoned;
    if (isHere && performance.now() - this.#written >= HEARTBEAT_MS) await this.#write();
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  async #goOn(): Promise<void> {
    const state = this.#endState();
    if (state === undefined) return this.#writeSometimes();
    this.#ending ??= this.#end(state).finally(() => {
      // After a failure `check` tries again.
      this.#ending = undefined;
    });
    return this.#ending;
  }

  /** The job counts as ended when that is written. */
  async #end(state: JobState): Promise<void> {
    const ended = { state, at: new Date().toISOString() };
    await writeManifest(this.files, manifestOf(this.job, state, this.#done, this.progress.failures));
    await this.#write(ended);
    this.#ended = ended;
  }

  /** How the job ends, once no part of it is in progress and none is left to make. */
  #endState(): JobState | undefined {
    if (this.#running > 0 || this.#isAbandoned || this.#ended !== undefined) return undefined;
    return endOf(this.#parts, this.#done.size, this.#failures.size, this.signal.aborted);
  }

  async #writeSometimes(): Promise<void> {
    if (performance.now() - this.#written >= WRITE_MS) await this.#write();
  }

  /** Writes one state after the other, so that a later one is never replaced by an earlier one. */
  #write(ended = this.#ended): Promise<void> {
    this.#written = performance.now();
    this.#heartbeats += 1;
    return this.#writing.take(() => writeProgress(this.files, this.#progressAt(ended)));
  }
}

/** Writes `status.json`. */
export async function writeProgress(files: JobFiles, progress: JobProgress): Promise<void> {
  await files.write(FILES.status, `${JSON.stringify(progress, null, 1)}\n`);
}

/** The progress in `status.json`; a job without that file has not begun. */
export async function readProgress(files: JobFiles): Promise<JobProgress> {
  const text = (await files.readText(FILES.status)) ?? '';
  return { ...NOT_BEGUN, ...(jsonOf(text) as Partial<JobProgress> | undefined) };
}

/**
 * Whether a job has not ended although no process computes it; undefined if only time can tell: a process of another
 * place cannot be asked, and in a container that was started again, one of this place may have the number of the owner.
 * Asked about jobs that this process does not compute, so an owner with the same process id was an earlier process.
 */
export function isOrphan(progress: JobProgress): boolean | undefined {
  if (isEnded(progress)) return false;
  const { owner } = progress;
  if (owner === undefined) return true;
  const isOfThisPlace = owner.host === hostname() && owner.place === PLACE;
  return isOfThisPlace && (owner.process === process.pid || !isProcessAlive(owner.process)) ? true : undefined;
}
