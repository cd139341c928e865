/** The web client at the root of the server, and an operator's own files under /local. */

import { fileURLToPath } from 'node:url';
import type { Context, Middleware } from 'koa';
import type { BaseMapConfig, ServerConfig } from '../../config/server-settings.js';
import { allowPage } from '../../http/answers/page-policy.js';
import { respondJson } from '../../http/answers/respond.js';
import { requireReading } from './methods.js';
import { staticFiles } from './static-files.js';

/** The built client; this module runs from `dist/src/server/middleware`. */
const CLIENT = fileURLToPath(new URL('../../../client', import.meta.url));
/** Path of the settings that the client needs before its first request. */
const SETTINGS = '/client-settings.json';
/** Browsers keep files, but check each time whether they have changed. */
const REVALIDATE = 'no-cache';

/**
 * Middleware for everything outside the interface; it comes after the route table, which has priority when the mount is
 * empty.
 */
export function webClient(config: ServerConfig): Middleware[] {
  const { clientFiles, clientFilesPolicy, baseMap } = config;
  const origins = baseMap === undefined ? [] : originsOf(baseMap);
  const own = staticFiles({
    at: '/',
    directory: CLIENT,
    cacheControl: REVALIDATE,
    compressed: true,
    allow: (ctx) => allowPage(ctx, origins),
  });
  if (clientFiles === undefined) return [settings(config), own];
  const allow = (ctx: Context) => allowClient(ctx, clientFilesPolicy);
  return [
    settings(config),
    staticFiles({ at: '/local', directory: clientFiles, cacheControl: REVALIDATE, allow }),
    own,
  ];
}

/**
 * Allows an operator's client what it may do elsewhere: existing clients have scripts in their pages, load libraries
 * and data from other hosts, and show tiles of servers that require a referrer.
 */
function allowClient(ctx: Context, policy: string | undefined): void {
  ctx.remove('Referrer-Policy');
  if (policy === undefined) ctx.remove('Content-Security-Policy');
  else ctx.set('Content-Security-Policy', policy);
}

/** Where the pages of the client may load a map from. */
function originsOf({ style, darkStyle, tiles, hosts = [] }: BaseMapConfig): string[] {
  // Braces are not part of a host.
  const addresses = [style, darkStyle, tiles?.replaceAll(/[{}]/g, '')].filter((address) => address !== undefined);
  const own = addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).origin] : []));
  return [...new Set([...own, ...hosts.map((host) => `https://${host}`)])];
}

function settings({ mount, baseMap, insecure }: ServerConfig): Middleware {
  const { hosts: _, ...shown } = baseMap ?? {};
  return (ctx, next) => {
    if (ctx.path !== SETTINGS) return next();
    requireReading(ctx);
    ctx.set('Cache-Control', REVALIDATE);
    return respondJson(ctx as Context, { mount, ...(insecure && { insecure }), ...(baseMap && { baseMap: shown }) });
  };
}
