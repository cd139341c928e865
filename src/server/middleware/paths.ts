/**
 * Special forms of request targets: doubled slashes, matrix parameters, an empty router id, and escapes and hosts that are
 * not allowed.
 */

import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { HttpError } from '../../http-error.js';

/** A name, an IPv4 address or a bracketed IPv6 address, and a port (RFC 9110, 7.2). It may be empty. */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i;

/**
 * Refuses malformed targets and hosts, and targets of more than `maxTarget` characters, with 400, and converts the
 * others to the form of the route table.
 */
export function paths(mount: string, maxTarget: number): Middleware {
  const emptyRouter = new RegExp(`^${mount}/routers//(?=.)`);
  // Ids of entities are only looked up; names of files and routers have no slash.
  const entity = new RegExp(`^${mount}/routers/[^/]*/index/(agencies|stops|routes|trips|patterns|clusters|flexAreas)/`);
  return (ctx, next) => {
    if (ctx.url.length > maxTarget) throw new HttpError(400, 'The request target is too long.\n');
    const merged = belowMount(ctx.path, mount);
    if (!isWellFormed(merged, entity.exec(merged)?.[0] ?? merged)) throw new HttpError(400, 'The path is malformed.\n');
    if (!hasOneHost(ctx.req)) throw new HttpError(400, 'The Host header is malformed.\n');
    const path = belowMount(merged.replace(/;[^/]*/g, ''), mount).replace(emptyRouter, `${mount}/routers/default/`);
    if (path !== ctx.path) ctx.path = path;
    return next();
  };
}

/**
 * A path below the mount with each run of slashes as one: clients make them from an address that ends with a slash. Two
 * after `routers` stay, as an empty router id. Other paths stay as they are.
 */
export function belowMount(path: string, mount: string): string {
  const merged = path.replace(/(?<!\/routers)\/{2,}/g, '/');
  return `${merged}/`.startsWith(`${mount}/`) ? merged : path;
}

/** Whether all escapes can be decoded and none of them hides a NUL or, in the part without ids, a slash. */
function isWellFormed(path: string, withoutIds: string): boolean {
  if (/%00/.test(path) || /%2f/i.test(withoutIds)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** With several hosts, a proxy might choose another one than the server does. `node:http` ensures that there is one. */
function hasOneHost({ headers, rawHeaders }: IncomingMessage): boolean {
  const lines = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
  return lines.length <= 1 && HOST.test(headers.host ?? '');
}
