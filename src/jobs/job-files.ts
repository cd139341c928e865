/**
 * The files of a job, in a folder or below an address of an object store:
 *
 * - `job.json`: the job, which never changes;
 * - `origins.csv`, `destinations.csv`: its places;
 * - `parts/part-000000.parquet`, …: the result, one file for each part;
 * - `status.json`: its progress, as last written by the process that computes it;
 * - `cancelled`: somebody has asked for the job to end;
 * - `manifest.json`: what the result consists of, written last.
 */

/** Names of the files. */
export const FILES = {
  job: 'job.json',
  origins: 'origins.csv',
  destinations: 'destinations.csv',
  parts: 'parts/',
  part: (number: number) => `parts/part-${String(number).padStart(6, '0')}.parquet`,
  status: 'status.json',
  cancelled: 'cancelled',
  manifest: 'manifest.json',
} as const;

/** Length and SHA-256 (hexadecimal) of a file. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** The files of one job. A file is seen only when it is complete. */
export interface JobFiles {
  /** A folder or `s3://…`, for messages. */
  readonly address: string;
  /** Undefined when there is none. */
  readText(name: string): Promise<string | undefined>;
  /** Writes a file or replaces it. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Undefined when there is none. */
  digest(name: string): Promise<FileDigest | undefined>;
  /** Names that begin with `start`. */
  list(start: string): Promise<string[]>;
  remove(name: string): Promise<void>;
  /**
   * Removes unfinished files: with `ended`, those of processes on this machine that have ended; with `all`, which is
   * for the end of a job, all of them.
   */
  tidy(whose: 'ended' | 'all'): Promise<void>;
  /** Runs `work` with a file on this machine that has the content. */
  withLocalFile<T>(name: string, work: (file: string) => Promise<T>): Promise<T>;
}

/** Where the jobs of a server are. */
export interface JobPlace {
  /** Ids of all jobs, in no order. */
  ids(): Promise<string[]>;
  /** The files of a job, which may not exist yet. */
  files(id: string): Promise<JobFiles>;
  /** Removes a job with its results. */
  remove(id: string): Promise<void>;
}

/** The parts of a job that are made: those with a file, of the first `parts`. */
export async function partsMade(files: JobFiles, parts: number): Promise<Map<number, FileDigest>> {
  const made = new Map<number, FileDigest>();
  for (const name of await files.list(FILES.parts)) {
    const number = Number(/^parts\/part-(\d{6,})\.parquet$/.exec(name)?.[1]);
    const digest = number < parts ? await files.digest(name) : undefined;
    if (digest !== undefined) made.set(number, digest);
  }
  return made;
}
