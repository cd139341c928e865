/** Checks between the route table and a handler: role, size of the body, turn of a search. */

import type { Context, Middleware } from 'koa';
import { Query } from '../../http/params/query.js';
import { clientGone } from '../../http/request/client-gone.js';
import { runSearches } from '../../http/request/searches.js';
import { readText, refuseEncoded, refuseLonger } from '../../http/request/small-body.js';
import type { Role, Route } from '../../http/route.js';
import { HttpError } from '../../http-error.js';
import type { Principal } from '../authenticator.js';
import type { AppDeps } from '../deps.js';
import { CHALLENGE } from './authentication.js';

/** Refuses those who may not call the route, and bodies that are too large for it. */
export function authorize(route: Route, { config }: AppDeps): Middleware {
  return (ctx, next) => {
    ctx.state.route = route;
    const refusal = route.refusal?.(config);
    if (refusal !== undefined) throw refusal;
    if (route.role !== undefined) refuseForeignPages(ctx as Context, config.corsOrigins);
    if (route.role !== undefined && !config.insecure) requireRole(ctx as Context, route.role);
    if (route.upload) refuseEncoded(ctx as Context);
    else refuseLonger(ctx as Context, config.maxBodyBytes);
    return next();
  };
}

/** Runs the handler; if it is a search, when it is its turn. */
export function admit(route: Route, deps: AppDeps): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    // Files may take any time; the connection limits check their rate.
    if (route.upload) ctx.req.socket.setTimeout(0);
    const cost = (typeof route.cost === 'function' ? route.cost(ctx) : route.cost) ?? 'light';
    const answer = () => route.handler(ctx, deps, new Query(ctx.querystring));
    if (cost === 'light') return answer();
    // Clients that send their body slowly would keep the turns from all others.
    if (readsText(route, ctx)) await readText(ctx, deps.config.maxBodyBytes);
    await runSearches(deps, cost, clientGone(ctx), async (time) => {
      ctx.state.searchTime = time;
      await answer();
    });
  };
}

/** Whether the handler of a search reads the body; routes that declare no type of body read it only if it is JSON. */
function readsText({ method, consumes }: Route, ctx: Context): boolean {
  return method === 'POST' && (consumes !== undefined || Boolean(ctx.is('json')));
}

/** 401: the user is unknown; 403: the user is known but not allowed. */
function requireRole(ctx: Context, role: Role): void {
  const principal = ctx.state.principal as Principal | undefined;
  if (principal === undefined) throw new HttpError(401, `this needs the role ROLE_${role}\n`, CHALLENGE);
  if (!principal.roles.has(role)) throw new HttpError(403, `${principal.name} lacks the role ROLE_${role}\n`);
}

/**
 * A browser sends stored passwords with requests from any page, and may reach servers that others cannot. So pages of
 * other origins may change something only if their origin is listed by name.
 */
function refuseForeignPages(ctx: Context, trusted: readonly string[]): void {
  const page = ctx.get('Origin');
  if (page === '' || trusted.includes(page)) return;
  const own = URL.canParse(page) && new URL(page).host === ctx.host;
  if (!own) throw new HttpError(403, 'pages from other origins may not change anything here\n');
}
