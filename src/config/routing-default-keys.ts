/** Members of `routingDefaults`: each sets the default of the routing request parameter of the same name. */

import { LEAST_SPEED, MOST_SPEED } from '../native/number-limits.js';
import { AMOUNT, BOOLEAN, COST, DELAY, type Field, type Fields, NUMBER, TEXT } from './fields.js';
import { MODES_FORM, ROUTES_FORM, START_FORM, STOPS_FORM, type TextForm } from './text-forms.js';

const OPTIMIZE = ['QUICK', 'SAFE', 'FLAT', 'GREENWAYS', 'TRIANGLE', 'TRANSFERS'] as const;

/** Whole numbers of 32 bits, as in the engine. */
const INTEGER_32: Field = { kind: 'number', integer: true, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const COUNT_32: Field = { kind: 'number', integer: true, minimum: 0, maximum: 2 ** 31 - 1 };
const SPEED: Field = { kind: 'number', minimum: LEAST_SPEED, maximum: MOST_SPEED };

const namesOf = (form: TextForm, mayBeEmpty = true): Field => ({ kind: 'names', form, mayBeEmpty });
/** Agencies and trips may have any ids. */
const NAMES = namesOf({ fits: () => true, expected: 'a comma list' });

/** Parameters of other servers of the interface that have no meaning here; each gives a warning. */
const WITHOUT_EFFECT: Fields = {
  compactLegsByReversedSearch: BOOLEAN,
  disableRemainingWeightHeuristic: BOOLEAN,
  geoidElevation: BOOLEAN,
  maxWeight: NUMBER,
  preTransitOverageRate: AMOUNT,
  preTransitPenalty: AMOUNT,
  reverseOptimizeOnTheFly: BOOLEAN,
  reverseOptimizing: BOOLEAN,
  softPreTransitLimiting: BOOLEAN,
  softWalkLimiting: BOOLEAN,
  softWalkOverageRate: AMOUNT,
  softWalkPenalty: AMOUNT,
  worstTime: NUMBER,
};

/** Their names. */
export const DEFAULTS_WITHOUT_EFFECT: ReadonlySet<string> = new Set(Object.keys(WITHOUT_EFFECT));

/** Every routing parameter that has a default. Seconds, metres, metres per second, cost. */
export const ROUTING_DEFAULT_KEYS: Fields = {
  arriveBy: BOOLEAN,
  wheelchair: BOOLEAN,
  wheelchairAccessible: BOOLEAN,
  numItineraries: { ...COUNT_32, minimum: 1 },
  maxWalkDistance: AMOUNT,
  maxTransferWalkDistance: AMOUNT,
  maxPreTransitTime: COUNT_32,
  walkReluctance: COST,
  stairsReluctance: COST,
  turnReluctance: COST,
  waitReluctance: COST,
  waitAtBeginningFactor: COST,
  walkSpeed: SPEED,
  bikeSpeed: SPEED,
  carSpeed: SPEED,
  bikeSwitchTime: DELAY,
  bikeSwitchCost: COST,
  triangleSafetyFactor: AMOUNT,
  triangleSlopeFactor: AMOUNT,
  triangleTimeFactor: AMOUNT,
  optimize: { kind: 'string', oneOf: OPTIMIZE },
  modes: namesOf(MODES_FORM, false),
  transferSlack: DELAY,
  boardSlack: DELAY,
  alightSlack: DELAY,
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
  otherThanPreferredRoutesPenalty: COUNT_32,
  useUnpreferredRoutesPenalty: COUNT_32,
  walkBoardCost: COUNT_32,
  bikeBoardCost: COUNT_32,
  transferPenalty: INTEGER_32,
  nonpreferredTransferPenalty: INTEGER_32,
  maxTransfers: COUNT_32,
  showIntermediateStops: BOOLEAN,
  startTransitStopId: { kind: 'string', form: START_FORM },
  startTransitTripId: { kind: 'string', form: START_FORM },
  clampInitialWait: INTEGER_32,
  locale: TEXT,
  ignoreRealtimeUpdates: BOOLEAN,
  maxSlope: AMOUNT,
  driveOnRight: BOOLEAN,
  bikeRentalPickupTime: DELAY,
  bikeRentalPickupCost: COST,
  bikeRentalDropoffTime: DELAY,
  bikeRentalDropoffCost: COST,
  bikeParkTime: DELAY,
  bikeParkCost: COST,
  carDropoffTime: DELAY,
  elevatorBoardTime: DELAY,
  elevatorBoardCost: COST,
  elevatorHopTime: DELAY,
  elevatorHopCost: COST,
  // With 0, every itinerary would be dropped.
  maxHours: { kind: 'number', minimum: 0.001 },
  useRequestedDateTimeInMaxHours: BOOLEAN,
  pathComparator: TEXT,
  disableAlertFiltering: BOOLEAN,
  ...WITHOUT_EFFECT,
};
