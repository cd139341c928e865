/** /routers/{routerId}/jobs: searches from many origins, which continue after the request. */

import type { Context } from 'koa';
import { HttpError } from '../../../http-error.js';
import { readSoon, requireStore } from '../../../jobs/answering-store.js';
import { isLegalJobId } from '../../../jobs/job.js';
import { type Jobs, type NewJob, TooManyJobs } from '../../../jobs/jobs.js';
import type { JobStatus } from '../../../jobs/status.js';
import type { Router } from '../../../registry/router.js';
import { presentJob } from '../../../serialization/job.js';
import { presentTracer, traced } from '../../../tracing/trace.js';
import { JSON_ONLY, TEXT_ONLY } from '../../answers/negotiation.js';
import { respondJson, respondText } from '../../answers/respond.js';
import type { HandlerDeps } from '../../deps.js';
import { parameter, parameters } from '../../params/parameter-schema.js';
import type { Query } from '../../params/query.js';
import { readText } from '../../request/small-body.js';
import { routesWith } from '../../route.js';
import { findPointSet } from '../surfaces/pointsets.js';
import { JOB_SCHEMA, readJobDescription } from './job-description.js';
import { newJob } from './new-job.js';

const REMOVAL = parameters({
  remove: parameter.boolean('Remove a job that has ended, with its result', { default: false }),
});
const ONE = '/routers/:routerId/jobs/:jobId';

export const jobRoutes = routesWith({ tag: 'Jobs', role: 'ROUTERS' }, [
  {
    method: 'GET',
    path: '/routers/:routerId/jobs',
    handler: list,
    summary: 'The jobs of a router with their progress',
    answer: 'JobList',
  },
  {
    method: 'POST',
    path: '/routers/:routerId/jobs',
    handler: submit,
    summary: 'Compute a matrix, isochrones or accessibility from many origins; the result goes to files',
    answer: 'Job',
    consumes: JSON_ONLY,
    body: JOB_SCHEMA,
  },
  {
    method: 'GET',
    path: ONE,
    handler: one,
    summary: 'A job with its progress',
    answer: 'Job',
  },
  {
    method: 'DELETE',
    path: ONE,
    handler: remove,
    summary: 'Cancel a job, or remove one that has ended with its result',
    produces: TEXT_ONLY,
    query: REMOVAL,
  },
  {
    method: 'POST',
    path: `${ONE}/resume`,
    handler: resume,
    summary: 'Resume a job that failed or was cancelled',
    produces: TEXT_ONLY,
  },
]);

function jobsOf({ jobs }: HandlerDeps): Jobs {
  if (jobs === undefined) throw new HttpError(404, 'JOBS_OFF: start the server with --jobs\n');
  return jobs.queue;
}

async function list(ctx: Context, deps: HandlerDeps): Promise<void> {
  const jobs = jobsOf(deps);
  await requireStore(jobs);
  const id = deps.registry.resolveId(ctx.params.routerId);
  const found = (await jobs.list()).filter(({ job }) => job.router === id);
  // A router that was removed may have left jobs.
  if (found.length === 0) await deps.registry.use(id, () => {});
  respondJson(ctx, found.map(presentJob));
}

/** The parts of the job belong to the trace of the request, wherever they are computed. */
function submitTraced(jobs: Jobs, { job, ...places }: NewJob): Promise<JobStatus> {
  return traced({ name: 'submit a job', kind: 'producer', attributes: { 'trestle.job': job.id } }, () => {
    const trace = presentTracer()?.present;
    return jobs.submit({ ...places, job: trace === undefined ? job : { ...job, trace } });
  });
}

async function submit(ctx: Context, deps: HandlerDeps): Promise<void> {
  const jobs = jobsOf(deps);
  await requireStore(jobs);
  const description = readJobDescription(await readText(ctx, deps.config.maxBodyBytes));
  const made = await deps.registry.use(ctx.params.routerId, async (router) =>
    newJob(description, {
      router: router.id,
      served: router.graph,
      config: router.config,
      graph: await hashOf(deps, router),
      pointSet: (id) => findPointSet(deps, id),
      scenario: async (id) => (await deps.scenarios.storeOf(router)).text(id),
    }),
  );
  const status = await submitTraced(jobs, made).catch((error) => {
    throw error instanceof TooManyJobs ? new HttpError(409, `${error.message}\n`) : error;
  });
  respondJson(ctx, presentJob(status));
  ctx.status = 201;
}

/** A job identifies its graph by a hash of the content, because it may outlast the graph that the router serves now. */
async function hashOf({ jobs }: HandlerDeps, router: Router): Promise<string> {
  const found = await jobs?.graphHash(router.id);
  if (found !== undefined) return found;
  throw new HttpError(409, `the graph file of router ${router.id} is not the one that is served: reload the router\n`);
}

async function one(ctx: Context, deps: HandlerDeps): Promise<void> {
  respondJson(ctx, presentJob(await find(ctx, deps)));
}

/** Removing needs a parameter, so that a request to cancel a job which has just ended does not delete its result. */
async function remove(ctx: Context, deps: HandlerDeps, query: Query): Promise<void> {
  const { job } = await find(ctx, deps);
  const jobs = jobsOf(deps);
  const isRemoval = query.value(REMOVAL.remove);
  const isDone = isRemoval ? await jobs.remove(job.id) : await jobs.cancel(job.id);
  if (!isDone) {
    // Unless somebody has removed it since.
    await find(ctx, deps);
    const reason = isRemoval ? 'has not ended: cancel it first' : 'has ended: with remove=true it is removed';
    throw new HttpError(409, `the job ${reason}\n`);
  }
  respondText(ctx, 200, isRemoval ? 'removed\n' : 'cancelled\n');
}

async function resume(ctx: Context, deps: HandlerDeps): Promise<void> {
  const { job } = await find(ctx, deps);
  if (!(await jobsOf(deps).resume(job.id))) {
    await find(ctx, deps);
    throw new HttpError(409, 'only a job that has failed or was cancelled can be resumed\n');
  }
  respondText(ctx, 200, 'resumed\n');
}

async function find(ctx: Context, deps: HandlerDeps): Promise<JobStatus> {
  const jobs = jobsOf(deps);
  const router = deps.registry.resolveId(ctx.params.routerId);
  const id = String(ctx.params.jobId);
  const status = isLegalJobId(id) ? await readSoon(jobs, id) : undefined;
  if (status?.job.router !== router) throw new HttpError(404, 'there is no such job\n');
  return status;
}
