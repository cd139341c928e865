/** Makes the file of a part, unless it is there. */

import { createHash } from 'node:crypto';
import { traced } from '../tracing/trace.js';
import { computePart, type RunSearch } from './compute.js';
import { type Job, partOf } from './job.js';
import { FILES, type FileDigest, type JobFiles } from './job-files.js';
import type { OpenJobs } from './open-jobs.js';
import type { TableWriter } from './table-writer.js';

/** What is needed to make parts. */
export interface PartMaker {
  readonly opened: OpenJobs;
  readonly tables: TableWriter;
  readonly run: RunSearch;
}

/** Called when a part is made or has failed, with the seconds that it took. */
export type OnPart = (job: Job, part: number, seconds: number, error?: unknown) => void;

/**
 * Computes a part and writes its file; `signal` stops its searches. Two processes may make the same part at once: they
 * write the same bytes.
 */
export function makePart(
  maker: PartMaker,
  job: Job,
  files: JobFiles,
  number: number,
  signal: AbortSignal,
): Promise<FileDigest> {
  const attributes = { 'trestle.job': job.id, 'trestle.part': number };
  const run: RunSearch = (search) => maker.run((options) => search({ ...options, signal }));
  return traced({ name: 'make a part', kind: 'consumer', parent: job.trace, attributes }, () =>
    write({ ...maker, run }, job, files, number),
  );
}

async function write({ opened, tables, run }: PartMaker, job: Job, files: JobFiles, number: number) {
  const name = FILES.part(number);
  const present = await files.digest(name);
  if (present !== undefined) return present;
  const bytes = await opened.use(job, files, (open) => computePart(open, partOf(job, number), run, tables));
  await files.write(name, bytes);
  const digest: FileDigest = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  return digest;
}
