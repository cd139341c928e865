/** Members of `routingDefaults`: each sets the default of the routing request parameter of the same name. */

import { OPTIMIZATIONS } from '../native/modes.js';
import { REQUEST_NUMBERS } from '../native/request-numbers.js';
import type { NumberRule } from '../native/rules.js';
import { AMOUNT, BOOLEAN, type Field, type Fields, NUMBER, TEXT, unused } from './fields.js';
import { MODES_FORM, ROUTES_FORM, START_FORM, STOPS_FORM, type TextForm } from './text-forms.js';

/** The fields of numbers that requests have by the same name. */
function fieldsOf(rules: Readonly<Record<string, NumberRule>>): Fields {
  const field = (rule: NumberRule): Field => (rule.ignoresFractions ? { ...rule, integer: true } : rule);
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, field(rule)]));
}

const namesOf = (form: TextForm, mayBeEmpty = true): Field => ({ kind: 'names', form, mayBeEmpty });
/** Agencies and trips may have any ids. */
const NAMES = namesOf({ fits: () => true, expected: 'a comma list' });

/** Every routing parameter that has a default. Seconds, metres, metres per second, cost. */
export const ROUTING_DEFAULT_KEYS: Fields = {
  arriveBy: BOOLEAN,
  wheelchair: BOOLEAN,
  wheelchairAccessible: BOOLEAN,
  modes: namesOf(MODES_FORM, false),
  optimize: { kind: 'string', oneOf: OPTIMIZATIONS },
  triangleSafetyFactor: AMOUNT,
  triangleSlopeFactor: AMOUNT,
  triangleTimeFactor: AMOUNT,
  preferredRoutes: namesOf(ROUTES_FORM),
  unpreferredRoutes: namesOf(ROUTES_FORM),
  bannedRoutes: namesOf(ROUTES_FORM),
  whiteListedRoutes: namesOf(ROUTES_FORM),
  preferredAgencies: NAMES,
  unpreferredAgencies: NAMES,
  bannedAgencies: NAMES,
  whiteListedAgencies: NAMES,
  bannedTrips: NAMES,
  bannedStops: namesOf(STOPS_FORM),
  bannedStopsHard: namesOf(STOPS_FORM),
  showIntermediateStops: BOOLEAN,
  startTransitStopId: { kind: 'string', form: START_FORM },
  startTransitTripId: { kind: 'string', form: START_FORM },
  locale: TEXT,
  ignoreRealtimeUpdates: BOOLEAN,
  driveOnRight: BOOLEAN,
  // With 0, every itinerary would be dropped.
  maxHours: { kind: 'number', minimum: 0.001 },
  useRequestedDateTimeInMaxHours: BOOLEAN,
  pathComparator: TEXT,
  disableAlertFiltering: BOOLEAN,
  ...fieldsOf(REQUEST_NUMBERS),
  compactLegsByReversedSearch: unused(BOOLEAN),
  disableRemainingWeightHeuristic: unused(BOOLEAN),
  geoidElevation: unused(BOOLEAN),
  maxWeight: unused(NUMBER),
  preTransitOverageRate: unused(AMOUNT),
  preTransitPenalty: unused(AMOUNT),
  reverseOptimizeOnTheFly: unused(BOOLEAN),
  reverseOptimizing: unused(BOOLEAN),
  softPreTransitLimiting: unused(BOOLEAN),
  softWalkLimiting: unused(BOOLEAN),
  softWalkOverageRate: unused(AMOUNT),
  softWalkPenalty: unused(AMOUNT),
  worstTime: unused(NUMBER),
};
