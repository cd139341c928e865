/** The HTTP status of errors. */

import { HttpError } from '../../http-error.js';
import type { KernelCode } from '../../native/codes.js';

/** Statuses of the engine's errors that are not bugs. */
const KERNEL_STATUS: Readonly<Partial<Record<KernelCode, number>>> = {
  ABORTED: 499,
  BUSY: 503,
  DISPOSED: 503,
  INVALID_REQUEST: 400,
  PLACE_NOT_FOUND: 400,
  TOO_LARGE: 413,
};

/** The status of an error of ours or of the engine; undefined for bugs. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof HttpError ? error.status : KERNEL_STATUS[(error as { code?: KernelCode }).code as KernelCode];
}
