/** Reports of failures of work that is tried again and again, for example while Redis or a store cannot be reached. */

/** The same failure is reported once in this time, milliseconds. */
const PERIOD_MS = 60_000;

/** Different failures that are known at once. */
const MOST_KNOWN = 100;

/** What a failure has in common with the same one at another time: not the numbers, which may be of a temporary file. */
function kind(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, code } = error as NodeJS.ErrnoException;
  return `${name} ${code ?? ''} ${message.replaceAll(/\d+/g, '#')}`;
}

/** Reports the same failure once a minute, however often it happens. `now` is in milliseconds. */
export function reportSeldom(
  report: (error: unknown) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const reported = new Map<string, number>();
  return (error) => {
    const failure = kind(error);
    const at = now();
    const before = reported.get(failure);
    if (before !== undefined && at - before < PERIOD_MS) return;
    if (reported.size >= MOST_KNOWN) reported.clear();
    reported.set(failure, at);
    report(error);
  };
}
