/** POST scripting/run: this server runs no scripts. */

import type { Context } from 'koa';
import { respondText } from './respond.js';
import type { Route } from './route.js';

/** The row of the route table about scripts. */
export const scriptingRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/scripting/run',
    handler: refuse,
    summary: 'Always refused: scripts are off',
    tag: 'Scripting',
    consumes: ['multipart/form-data'],
    produces: ['text/plain'],
  },
];

/** The text, with its spelling, is part of the interface. */
function refuse(ctx: Context): void {
  respondText(ctx, 403, 'Scripting web-service is desactivated for security reasons.\n');
}
