import { HttpError } from '../../http-error.js';
import type { PlanErrorCode } from '../../native/types.js';

/** A query parameter that cannot be understood. It is answered with 400, and by `plan` with an error object. */
export class BadParameter extends HttpError {
  constructor(
    /** The query parameter. */
    readonly parameter: string,
    /** What is wrong with it, in words. */
    readonly reason: string,
    /** The error code that `plan` answers with. */
    readonly planError: PlanErrorCode = 'BOGUS_PARAMETER',
  ) {
    super(400, `${parameter}: ${reason}\n`);
  }
}
