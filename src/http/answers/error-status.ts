/** The HTTP status and text of errors. */

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

/** Names that the interface gives to errors. Scripts look for them to tell a place off the map from a failure. */
const NAMES: Readonly<Partial<Record<ErrorCode, string>>> = { PLACE_NOT_FOUND: 'VertexNotFoundException' };

/** The line that says what is wrong with a request. */
export function textOf(error: unknown): string {
  const { code, message } = error as { code?: ErrorCode; message?: string };
  const name = NAMES[code as ErrorCode];
  return name === undefined ? `${message}\n` : `${name}: ${message}\n`;
}
