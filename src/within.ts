/** Waiting for something, but not for too long. */

/**
 * What `work` resolves with; undefined when it takes longer than `longestMs`. Rejects if `work` rejects within that
 * time; a later rejection is ignored.
 */
export async function within<T>(work: Promise<T>, longestMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), longestMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
