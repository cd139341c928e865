/** Accessibility indicators. */

import type { Indicator } from './answers/index.js';
import type { Written } from './written.js';

/** The document of an indicator; `times` are seconds per feature, added last when given. */
export function indicatorDocument(
  id: string,
  counts: readonly number[],
  sums: ReadonlyArray<readonly [property: string, perMinute: readonly number[]]>,
  times?: Int32Array,
): Written<Indicator> {
  return {
    properties: { id },
    data: Object.fromEntries(sums.map(([name, perMinute]) => [name, { sums: perMinute, counts }])),
    ...(times === undefined ? {} : { times: [...times] }),
  };
}
