/** Cross-origin access: which pages may read the answers below the mount; by default any. */

import type { Middleware } from 'koa';
import type { Origin } from '../client-address.js';
import { belowMount } from './paths.js';

const READING = 'GET,HEAD,POST,OPTIONS';
const CHANGING = `${READING},PUT,DELETE`;

/**
 * Adds the access headers to every answer below `mount` and answers every OPTIONS request there. Only origins that are
 * listed by name may use a browser's stored credentials and change anything.
 *
 * @param origins the origins that may read; `*` stands for any.
 */
export function cors(mount: string, origins: readonly string[]): Middleware {
  const admits = (origin: string) => origin !== '' && (origins.includes('*') || origins.includes(origin));
  return async (ctx, next) => {
    const path = belowMount(ctx.path, mount);
    if (path !== mount && !path.startsWith(`${mount}/`)) return next();
    const origin = ctx.get('Origin');
    ctx.vary('Origin');
    if (admits(origin)) ctx.set('Access-Control-Allow-Origin', origin);
    const trusted = origins.includes(origin);
    ctx.set('Access-Control-Allow-Credentials', String(trusted && (ctx.state.origin as Origin).https));
    if (ctx.method !== 'OPTIONS') return next();
    const headers = ctx.get('Access-Control-Request-Headers');
    if (headers !== '') ctx.set('Access-Control-Allow-Headers', headers);
    if (ctx.get('Access-Control-Request-Method') !== '') {
      // Clients of the interface know the first, misspelt name; browsers use the second.
      ctx.set('Access-Control-Allow-Method', 'GET,POST');
      ctx.set('Access-Control-Allow-Methods', trusted ? CHANGING : READING);
    }
    ctx.status = 200;
    ctx.body = '';
    ctx.remove('Content-Type');
  };
}
