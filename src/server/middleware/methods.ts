/** Requests with a method that their path does not have. */

import type { Context } from 'koa';
import { HttpError } from '../../http-error.js';

/** The answer to such a request: 405, with the methods that the path has. */
export function methodNotAllowed(allowed: Iterable<string>): HttpError {
  return new HttpError(405, 'Method Not Allowed\n', { Allow: [...new Set(allowed)].join(', ') });
}

/** Refuses all but GET and HEAD. */
export function requireReading({ method }: Pick<Context, 'method'>): void {
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(['HEAD', 'GET']);
}
