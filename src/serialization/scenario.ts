/** Scenarios as clients see them. */

import type { ModificationReport } from '../native/types.js';

/** A modification as written, with its warnings. */
interface WrittenModification {
  readonly written: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** One scenario; `reports` are the outcomes of its modifications on the present schedule. */
export function presentScenario(
  id: string,
  { description, modifications }: { description: string; modifications: readonly WrittenModification[] },
  reports: readonly ModificationReport[],
) {
  return {
    id,
    description,
    modifications: modifications.map(({ written, warnings }, i) => {
      const { changed = 0, warnings: found = [], error } = reports[i] ?? {};
      const left = error === undefined || error === null ? [] : [`left out: ${error}`];
      return { ...written, warnings: [...warnings, ...found, ...left], changed };
    }),
  };
}
