/** The web client at the root of the server, and an operator's own files under /local. */

import { fileURLToPath } from 'node:url';
import type { Context, Middleware } from 'koa';
import type { ServerConfig } from '../../config/server-settings.js';
import { allowPage } from '../../http/page-policy.js';
import { respondJson } from '../../http/respond.js';
import { staticFiles } from './static-files.js';

/** The built client; this module runs from `dist/src/server/middleware`. */
const CLIENT = fileURLToPath(new URL('../../../client', import.meta.url));
/** What the client has to know about its server before it can ask it anything. */
const SETTINGS = '/client-settings.json';
/** Browsers keep files, but ask each time whether they changed. */
const REVALIDATE = 'no-cache';

/** Middleware for what is outside the interface; goes after the route table, which wins when the mount is empty. */
export function webClient({ mount, clientFiles, clientFilesPolicy }: ServerConfig): Middleware[] {
  const own = staticFiles({ at: '/', directory: CLIENT, cacheControl: REVALIDATE, allow: allowPage });
  if (clientFiles === undefined) return [settings(mount), own];
  const allow = (ctx: Context) => allowClient(ctx, clientFilesPolicy);
  return [settings(mount), staticFiles({ at: '/local', directory: clientFiles, cacheControl: REVALIDATE, allow }), own];
}

/**
 * Lets a client of the operator do what it does elsewhere: existing ones have scripts in their pages, load libraries and
 * data from other hosts, and show tiles of servers that want to know the page that asks.
 */
function allowClient(ctx: Context, policy: string | undefined): void {
  ctx.remove('Referrer-Policy');
  if (policy === undefined) ctx.remove('Content-Security-Policy');
  else ctx.set('Content-Security-Policy', policy);
}

function settings(mount: string): Middleware {
  return (ctx, next) => {
    if (ctx.path !== SETTINGS || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set('Cache-Control', REVALIDATE);
    return respondJson(ctx as Context, { mount });
  };
}
