/** GET /routers/{routerId}/buildReport: the report of a graph's build. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { presentBuildReport } from '../../../serialization/build-report.js';
import { respondJson } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import type { Route } from '../../route.js';

export const buildReportRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/routers/:routerId/buildReport',
    handler: buildReport,
    summary: 'The report of the graph build; 404 if there is none beside the graph',
    answer: 'BuildReport',
    tag: 'Routers',
    role: 'ROUTERS',
  },
];

async function buildReport(ctx: Context, { registry }: HandlerDeps): Promise<void> {
  const routerId = await registry.use(ctx.params.routerId, ({ id }) => id);
  const graphFile = registry.sourceOf(routerId)?.file;
  const text = graphFile === undefined ? undefined : await readIfPresent(graphFile);
  const report = text === undefined ? undefined : presentBuildReport(text);
  if (report === undefined) throw new HttpError(404, `there is no build report beside the graph of ${routerId}\n`);
  respondJson(ctx, report);
}

async function readIfPresent(graphFile: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(path.dirname(graphFile), 'report', 'report.json'), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
