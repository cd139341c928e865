/** The contents of the result of a job. Equal results have equal manifests, whichever process computed them. */

import { JOB_VERSION, type Job, partCount, partOf, rowsPerOrigin } from './job.js';
import { FILES, type FileDigest, type JobFiles } from './job-files.js';
import type { JobFailure, JobState } from './status.js';

/** A file of the result. */
interface ManifestPart extends FileDigest {
  readonly file: string;
  readonly firstOrigin: number;
  readonly origins: number;
  readonly rows: number;
}

/** `manifest.json`. */
interface JobManifest extends Pick<Job, 'version' | 'router' | 'graph' | 'task' | 'request' | 'origins'> {
  readonly state: JobState;
  readonly scenarios: readonly string[];
  readonly rows: number;
  readonly parts: readonly ManifestPart[];
  readonly failures: readonly JobFailure[];
}

/** The manifest of a job with these parts, by their numbers. */
export function manifestOf(
  job: Job,
  state: JobState,
  done: ReadonlyMap<number, FileDigest>,
  failures: readonly JobFailure[],
): JobManifest {
  const perOrigin = rowsPerOrigin(job.task, job.scenarios.length);
  const parts: ManifestPart[] = [];
  for (let number = 0; number < partCount(job); number += 1) {
    const digest = done.get(number);
    if (digest === undefined) continue;
    const { firstOrigin, origins } = partOf(job, number);
    const { bytes, sha256 } = digest;
    parts.push({ file: FILES.part(number), firstOrigin, origins, rows: origins * perOrigin, bytes, sha256 });
  }
  const { router, graph, task, request, scenarios, origins } = job;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const ids = scenarios.map(({ id }) => id);
  return { version: JOB_VERSION, state, router, graph, task, request, scenarios: ids, origins, rows, parts, failures };
}

export async function writeManifest(files: JobFiles, manifest: JobManifest): Promise<void> {
  await files.write(FILES.manifest, `${JSON.stringify(manifest, null, 1)}\n`);
}
