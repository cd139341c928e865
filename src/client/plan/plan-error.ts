/** Why there is no trip, in the reader's language. */

import type { PlanError } from '../api/answers.js';
import { type TextKey, t } from '../text/texts.js';

/** Texts by the interface's names of the errors. */
const TEXTS: Readonly<Record<string, TextKey>> = {
  PATH_NOT_FOUND: 'plan.error.noPath',
  NO_TRANSIT_TIMES: 'plan.error.noTimes',
  REQUEST_TIMEOUT: 'plan.error.late',
  TOO_CLOSE: 'plan.error.tooClose',
  LOCATION_NOT_ACCESSIBLE: 'plan.error.notAccessible',
};

/** What went wrong, and with which end. */
export function planErrorText(error: PlanError | undefined): string {
  if (error === undefined) return t('plan.error.noPath');
  if (error.message === 'OUTSIDE_BOUNDS') return outside(error.missing ?? []);
  const key = TEXTS[error.message];
  return key === undefined ? (error.reason ?? error.msg) : t(key);
}

function outside(missing: readonly string[]): string {
  const [from, to] = ['from', 'to'].map((end) => missing.some((name) => name.startsWith(end)));
  if (from && to) return t('plan.error.bothOutside');
  if (from) return t('plan.error.fromOutside');
  if (to) return t('plan.error.toOutside');
  return t('plan.error.viaOutside');
}
