/** POST scripting/run: runs a script that a client sends, if the server allows it. */

import type { Context } from 'koa';
import type { ServerConfig } from '../../../config/server-settings.js';
import { BusyError, HttpError } from '../../../http-error.js';
import { scriptKind, UnknownLanguage } from '../../../scripting/language.js';
import { MAX_OUTPUT, MAX_SOURCE_BYTES } from '../../../scripting/limits.js';
import { runScript, ScriptError } from '../../../scripting/run-script.js';
import { TEXT_ONLY } from '../../answers/negotiation.js';
import { respondText } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { clientGone } from '../../request/client-gone.js';
import { readFormFile } from '../../request/small-body.js';
import type { Route } from '../../route.js';
import { HostedScript } from './script-host.js';

export const scriptingRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/scripting/run',
    handler: run,
    summary: 'Run the JavaScript file `scriptfile` and return its value; 403 unless the server allows scripts',
    tag: 'Scripting',
    consumes: ['multipart/form-data'],
    body: {
      type: 'object',
      required: ['scriptfile'],
      properties: { scriptfile: { type: 'string', format: 'binary' } },
    },
    produces: TEXT_ONLY,
    refusal: scriptsAreOff,
    role: 'ROUTERS',
  },
];

/** The text, including its spelling, is part of the interface. */
function scriptsAreOff({ enableScriptingWebService }: ServerConfig): HttpError | undefined {
  if (enableScriptingWebService) return undefined;
  return new HttpError(403, 'Scripting web-service is desactivated for security reasons.\n');
}

/** Number of scripts that run at once; each has a thread. */
const AT_ONCE = 2;

const running = new WeakMap<HandlerDeps, number>();

async function run(ctx: Context, deps: HandlerDeps): Promise<void> {
  const { source, fileName, kind } = await sentScript(ctx);
  const others = running.get(deps) ?? 0;
  if (others >= AT_ONCE) throw new BusyError('other scripts are running, try again later\n', 5);
  running.set(deps, others + 1);
  const { address } = ctx.state.origin;
  const hosted = new HostedScript(deps, (line) => deps.logger.info({ script: fileName }, line), address);
  const { maxScriptMs: timeMs, maxScriptBytes: memoryBytes } = deps.config;
  const limits = { timeMs, memoryBytes, outputLength: MAX_OUTPUT };
  try {
    respondValue(ctx, await runScript({ source, fileName, kind }, hosted.host, limits, clientGone(ctx)));
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    respondText(ctx, error.isRefusal ? 400 : 500, `${error.message}\n`);
  } finally {
    hosted.close();
    running.set(deps, (running.get(deps) ?? 1) - 1);
  }
}

/** Sends the value of a script. Without a charset, Python would read its letters as Latin-1. */
function respondValue(ctx: Context, value: string): void {
  respondText(ctx, 200, value);
  if (/\P{ASCII}/u.test(value)) ctx.set('Content-Type', 'text/plain; charset=utf-8');
}

async function sentScript(ctx: Context) {
  const file = await readFormFile(ctx, 'scriptfile', MAX_SOURCE_BYTES);
  if (!file) throw new HttpError(400, 'scriptfile: a file is required\n');
  try {
    return { source: file.text, fileName: file.name, kind: scriptKind(file.name) };
  } catch (error) {
    throw error instanceof UnknownLanguage ? new HttpError(415, `${error.message}\n`) : error;
  }
}
