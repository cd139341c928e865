/** Makes the files of parts. */

import { createHash } from 'node:crypto';
import { traced } from '../tracing/trace.js';
import { computePart, type OpenJob, type RunSearch } from './compute.js';
import { type Job, partOf } from './job.js';
import { FILES, type FileDigest, type JobFiles } from './job-files.js';
import { type JobGraphs, OpenJobs } from './open-jobs.js';
import { TableWriter } from './table-writer.js';

/** Called when a part is made or has failed, with the seconds that it took. */
export type OnPart = (job: Job, part: number, seconds: number, error?: unknown) => void;

/** Runs a search when it is its turn, unless `signal` fires before that. */
type Turn = <T>(search: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Longest time of one search, seconds. */
const LONGEST_SEARCH = 3600;

/** Makes the parts of jobs on some graphs. */
export class PartMaker {
  readonly #tables = new TableWriter();
  readonly #opened: OpenJobs;

  constructor(
    graphs: JobGraphs,
    private readonly turn: Turn = (search) => search(),
  ) {
    this.#opened = new OpenJobs(graphs, this.#tables);
  }

  /**
   * Computes a part and writes its file, unless it is there; `signal` stops its searches. Two processes may make the
   * same part at once: they write the same bytes.
   */
  make(job: Job, files: JobFiles, number: number, signal: AbortSignal): Promise<FileDigest> {
    const attributes = { 'trestle.job': job.id, 'trestle.part': number };
    const options = { long: true, deadline: LONGEST_SEARCH, signal };
    const run: RunSearch = (search) => this.turn(() => search(options), signal);
    return traced({ name: 'make a part', kind: 'consumer', parent: job.trace, attributes }, () =>
      this.#write(job, files, number, run),
    );
  }

  /** Closes the jobs without a part in progress. */
  closeUnused(): void {
    this.#opened.close();
  }

  close(): void {
    this.#opened.close();
    this.#tables.close();
  }

  async #write(job: Job, files: JobFiles, number: number, run: RunSearch): Promise<FileDigest> {
    const name = FILES.part(number);
    const present = await files.digest(name);
    if (present !== undefined) return present;
    const compute = (open: OpenJob) => computePart(open, partOf(job, number), run, this.#tables);
    const bytes = await this.#opened.use(job, files, compute);
    await files.write(name, bytes);
    return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
}
