/** Credentials are checked wherever they are sent; whether a route needs any is the guard's business. */

import type { Middleware } from 'koa';
import { HttpError } from '../../http/errors.js';
import { type Authenticator, type Credentials, type Principal, readCredentials } from '../authenticator.js';
import type { Origin } from '../client-address.js';
import { RateLimiter } from '../rate-limit.js';

/** Sent with every 401; the realm is the one clients of the interface know. */
export const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="OpenTripPlanner"' } as const;

const UNSAFE = 'OpenTripPlanner refuses to do basic auth without transport layer security (HTTPS).';
/** Wrong passwords per minute and address before the next are not even looked at. */
const FAILURES_PER_MINUTE = 20;

/** Leaves the `principal` in the state. With `insecure` nobody is asked for anything. */
export function authentication(authenticator: Authenticator, insecure: boolean): Middleware {
  const failures = new RateLimiter(FAILURES_PER_MINUTE);
  return async (ctx, next) => {
    if (insecure) return next();
    const credentials = readCredentials(ctx.get('Authorization'));
    if (credentials.kind === 'none') return next();
    const { address, confidential } = ctx.state.origin as Origin;
    if (!confidential) throw new HttpError(401, UNSAFE, CHALLENGE);
    if (failures.isSpent(address)) {
      throw new HttpError(429, 'too many wrong passwords\n', { 'Retry-After': '60' });
    }
    const principal = await identify(authenticator, credentials);
    if (principal === undefined) {
      failures.take(address);
      throw new HttpError(401, wrong(credentials), CHALLENGE);
    }
    ctx.state.principal = principal;
    return next();
  };
}

async function identify(authenticator: Authenticator, credentials: Credentials): Promise<Principal | undefined> {
  if (credentials.kind === 'bearer') return authenticator.byToken(credentials.token);
  if (credentials.kind === 'basic') return authenticator.byPassword(credentials.user, credentials.password);
  return undefined;
}

function wrong(credentials: Credentials): string {
  if (credentials.kind !== 'basic') return 'Unknown bearer token';
  return `Incorrect password for OpenTripPlanner user '${credentials.user}'`;
}
