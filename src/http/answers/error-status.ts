/** The HTTP status of errors. */

import { HttpError } from '../../http-error.js';
import type { ErrorCode } from '../../native/errors.js';

/** Statuses of the addon's errors that are not bugs. */
const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  ABORTED: 499,
  BUSY: 503,
  DISPOSED: 503,
  INVALID_REQUEST: 400,
  PLACE_NOT_FOUND: 400,
  TOO_LARGE: 413,
};

/** The status of an error of ours or of the addon; undefined for bugs. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof HttpError ? error.status : STATUSES[(error as { code?: ErrorCode }).code as ErrorCode];
}
