/** Checks credentials wherever they are sent; the guard checks whether a route needs any. */

import type { Middleware } from 'koa';
import { HttpError } from '../../http-error.js';
import { type Authenticator, type Credentials, type Principal, readCredentials } from '../authenticator.js';
import type { Origin } from '../client-address.js';
import { RateLimiter } from '../rate-limit.js';

/** Sent with every 401; the realm is the one clients of the interface know. */
export const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="OpenTripPlanner"' } as const;

const UNSAFE = 'OpenTripPlanner refuses to do basic auth without transport layer security (HTTPS).';
/** Wrong passwords per minute and client; after that, no more passwords are checked. */
const FAILURES_PER_MINUTE = 20;

/** Leaves the `principal` in the state. With `insecure` there is no authentication. */
export function authentication(authenticator: Authenticator, insecure: boolean): Middleware {
  const failures = new RateLimiter(FAILURES_PER_MINUTE);
  return async (ctx, next) => {
    if (insecure) return next();
    const credentials = readCredentials(ctx.get('Authorization'));
    if (credentials.kind === 'none') return next();
    const { client, confidential } = ctx.state.origin as Origin;
    if (!confidential) throw new HttpError(401, UNSAFE, CHALLENGE);
    ctx.state.principal =
      atOnce(authenticator, credentials) ?? (await afterCheck({ authenticator, failures, client }, credentials));
    return next();
  };
}

/** Users whose password was verified before are let in, even when others at their address have tried many passwords. */
function atOnce(authenticator: Authenticator, credentials: Credentials): Principal | undefined {
  if (credentials.kind === 'bearer') return authenticator.byToken(credentials.token);
  if (credentials.kind === 'basic') return authenticator.remembered(credentials.user, credentials.password);
  return undefined;
}

interface Checking {
  readonly authenticator: Authenticator;
  readonly failures: RateLimiter;
  readonly client: string;
}

/** A password counts as wrong until it has proved right, so trying many at once gains nothing. */
async function afterCheck(checking: Checking, credentials: Credentials): Promise<Principal> {
  const { authenticator, failures, client } = checking;
  const wait = failures.take(client);
  if (wait > 0) throw new HttpError(429, 'too many wrong passwords\n', { 'Retry-After': String(wait) });
  const principal =
    credentials.kind === 'basic'
      ? await authenticator.byPassword(credentials.user, credentials.password, client)
      : undefined;
  if (principal === undefined) throw new HttpError(401, wrong(credentials), CHALLENGE);
  failures.giveBack(client);
  return principal;
}

function wrong(credentials: Credentials): string {
  if (credentials.kind !== 'basic') return 'Unknown bearer token';
  return `Incorrect password for OpenTripPlanner user '${credentials.user}'`;
}
