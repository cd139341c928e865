/** A cache of job descriptions, so that they are not read again for every part. */

import { type Job, LIMITS } from './job.js';
import type { JobPlace } from './job-files.js';
import { jobOf } from './stored-jobs.js';

/** Most characters of the scenarios of all of them, because scenarios make some descriptions long. */
const MOST_CHARACTERS = 64 * 1024 ** 2;

/** The jobs that were requested last. A description never changes. */
export class JobCache {
  /** The most recently used last. */
  readonly #known = new Map<string, Job>();
  #characters = 0;

  constructor(
    private readonly place: JobPlace,
    private readonly mostCharacters = MOST_CHARACTERS,
  ) {}

  /** A job by its id. Rejects when there is none. */
  async get(id: string): Promise<Job> {
    const job = this.#known.get(id) ?? (await jobOf(await this.place.files(id), id));
    this.#forget(id);
    this.#known.set(id, job);
    this.#characters += characters(job);
    this.#forgetOldest();
    return job;
  }

  #forget(id: string): void {
    const job = this.#known.get(id);
    if (job === undefined) return;
    this.#characters -= characters(job);
    this.#known.delete(id);
  }

  /**
   * Keeps as many jobs as may be unfinished at once, or fewer if their scenarios are long, but always the last one
   * requested.
   */
  #forgetOldest(): void {
    for (const id of this.#known.keys()) {
      const isTooMuch = this.#known.size > LIMITS.unfinished || this.#characters > this.mostCharacters;
      if (!isTooMuch || this.#known.size === 1) return;
      this.#forget(id);
    }
  }
}

function characters({ scenarios }: Job): number {
  return scenarios.reduce((sum, { text = '' }) => sum + text.length, 0);
}
