/** Why there is no trip, in the user's language. */

import type { PlanError } from '../api/answers.js';
import { type TextKey, t } from '../text/texts.js';
import { offMap, type SearchedPlaces } from './off-map.js';

/** Texts by the interface's names of the errors. */
const TEXTS: Readonly<Record<string, TextKey>> = {
  PATH_NOT_FOUND: 'plan.error.noPath',
  NO_TRANSIT_TIMES: 'plan.error.noTimes',
  REQUEST_TIMEOUT: 'plan.error.late',
  TOO_CLOSE: 'plan.error.tooClose',
  LOCATION_NOT_ACCESSIBLE: 'plan.error.notAccessible',
  GRAPH_UNAVAILABLE: 'common.problem.gone',
};

/** What went wrong, and for which of the places. */
export function planErrorText(error: PlanError | undefined, places: SearchedPlaces): string {
  if (error === undefined) return t('plan.error.noPath');
  if (error.message === 'OUTSIDE_BOUNDS') return t(`plan.error.${offMap(error.missing ?? [], places)}Outside`);
  const key = TEXTS[error.message];
  return key === undefined ? (error.reason ?? error.msg) : t(key);
}
