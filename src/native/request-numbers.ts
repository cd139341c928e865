/** The numbers of a routing request that have the same name and the same range in arguments and in settings. */

import { INT_MAX, LEAST_SPEED, MOST_COST, MOST_SECONDS, MOST_SPEED } from './number-limits.js';
import { type NumberRule, number, whole } from './rules.js';

/** A number that the addon cuts to a whole one. */
const cut = (minimum: number, maximum: number): NumberRule => ({ ...number(minimum, maximum), ignoresFractions: true });

/** Numbers of 32 bits, as in the engine. */
export const INTEGER = cut(-(2 ** 31), INT_MAX);
export const NOT_NEGATIVE = cut(0, INT_MAX);
/** Seconds that a search adds along a path. */
export const DELAY = cut(0, MOST_SECONDS);
/** Costs, and factors of costs, that a search adds along a path. */
export const COST = number(0, MOST_COST);
export const SPEED = number(LEAST_SPEED, MOST_SPEED);
/** A limit; infinity means no limit. */
export const LIMIT = number();

export const REQUEST_NUMBERS = {
  numItineraries: whole(1),
  maxWalkDistance: LIMIT,
  maxTransferWalkDistance: LIMIT,
  maxPreTransitTime: NOT_NEGATIVE,
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
  transferSlack: DELAY,
  boardSlack: DELAY,
  alightSlack: DELAY,
  otherThanPreferredRoutesPenalty: NOT_NEGATIVE,
  useUnpreferredRoutesPenalty: NOT_NEGATIVE,
  walkBoardCost: NOT_NEGATIVE,
  bikeBoardCost: NOT_NEGATIVE,
  transferPenalty: INTEGER,
  nonpreferredTransferPenalty: INTEGER,
  maxTransfers: whole(),
  // Negative: all of the first wait is removed.
  clampInitialWait: INTEGER,
  maxSlope: LIMIT,
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
};
