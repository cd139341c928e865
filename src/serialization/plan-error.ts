/** The planning errors of the interface: ids and English texts, which clients compare. */

import type { PlanErrorCode } from '../native/types.js';
import type { PlanError } from './answers/index.js';
import type { Written } from './written.js';

/** Every planning error that is sent, with its number and text. */
export type SentPlanError = PlanErrorCode | 'GRAPH_UNAVAILABLE';

const UNAVAILABLE = "We're sorry. The trip planner is temporarily unavailable. Please try again later.";

const MESSAGES: Readonly<Record<SentPlanError, readonly [id: number, msg: string]>> = {
  SYSTEM_ERROR: [500, UNAVAILABLE],
  GRAPH_UNAVAILABLE: [503, UNAVAILABLE],
  OUTSIDE_BOUNDS: [400, 'Trip is not possible.  You might be trying to plan a trip outside the map data boundary.'],
  PATH_NOT_FOUND: [
    404,
    'No trip found. There may be no transit service within the maximum specified distance or at the specified ' +
      'time, or your start or end point might not be safely accessible.',
  ],
  NO_TRANSIT_TIMES: [
    406,
    'No transit times available. The date may be past or too far in the future or there may not be transit service ' +
      'for your trip at the time you chose.',
  ],
  REQUEST_TIMEOUT: [408, 'The trip planner is taking way too long to process your request. Please try again later.'],
  TOO_CLOSE: [409, 'Origin is within a trivial distance of the destination.'],
  BOGUS_PARAMETER: [413, 'The request has errors that the server is not willing or able to process.'],
  LOCATION_NOT_ACCESSIBLE: [470, 'The location is not accessible for a wheelchair.'],
  UNDERSPECIFIED_TRIANGLE: [
    370,
    'All of triangleSafetyFactor, triangleSlopeFactor, and triangleTimeFactor must be set if any are',
  ],
  TRIANGLE_NOT_AFFINE: [
    371,
    'The values of triangleSafetyFactor, triangleSlopeFactor, and triangleTimeFactor must sum to 1',
  ],
};

/** Why there is no plan. */
interface SentReason {
  code: string;
  missing: readonly string[];
  reason: string;
}

/** Errors after a search; the others have no `debugOutput`. */
const WITH_DEBUG_OUTPUT: ReadonlySet<SentPlanError> = new Set(['PATH_NOT_FOUND', 'OUTSIDE_BOUNDS', 'NO_TRANSIT_TIMES']);

/**
 * The error object of a plan answer; `reason` names the parameter or place, which the interface's fixed text does not.
 */
export function presentPlanError({ code, missing, reason }: SentReason): Written<PlanError> {
  const message = isSent(code) ? code : 'SYSTEM_ERROR';
  const [id, msg] = MESSAGES[message];
  return { id, msg, message, ...(missing.length > 0 && { missing }), noPath: true, ...(reason !== '' && { reason }) };
}

/** Whether an answer with this error has `debugOutput`. */
export function hasDebugOutput(code: string): boolean {
  return isSent(code) && WITH_DEBUG_OUTPUT.has(code);
}

function isSent(code: string): code is SentPlanError {
  return Object.hasOwn(MESSAGES, code);
}
