/**
 * Makes a job from a description. Everything that depends on the router, its point sets and the present time is fixed
 * here.
 */

import { randomUUID } from 'node:crypto';
import { matrixRequest } from '../../../analysis/matrix.js';
import type { PointSet } from '../../../analysis/point-set.js';
import type { RouterConfig } from '../../../config/router-config.js';
import { HttpError } from '../../../http-error.js';
import { trySearch } from '../../../jobs/compute.js';
import {
  type AccessibilityTask,
  JOB_VERSION,
  type Job,
  type JobScenario,
  type JobTask,
  LIMITS,
  partCount,
  rowsPerOrigin,
  usualPartOrigins,
} from '../../../jobs/job.js';
import type { NewJob } from '../../../jobs/jobs.js';
import { isPossibleColumn, placesCsv } from '../../../jobs/places-csv.js';
import type { Graph, PlanRequest } from '../../../native/types.js';
import { quoted } from '../../../quoted.js';
import { GRAPH_FORMAT } from '../../../registry/graph-format.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { Query } from '../../params/query.js';
import { requestNow } from '../../params/routing-request.js';
import { requireStatistics } from '../surfaces/window-surfaces.js';
import type { JobDescription, SentPlaces } from './job-description.js';

/** The router, graph, point sets and scenarios that a description refers to. */
interface JobContext {
  readonly router: string;
  /** The graph of the router. */
  readonly served: Graph;
  readonly config: RouterConfig;
  /** SHA-256 of the graph file. */
  readonly graph: string;
  pointSet(id: string): Promise<PointSet | undefined>;
  /** The text of a scenario by its id. */
  scenario(id: string): Promise<string | undefined>;
}

/** Places with their ids and amounts. */
type Places = Pick<PointSet, 'positions' | 'ids' | 'properties'>;

/** Throws an `HttpError` 400 for values that make no sense, and 413 for a job that is too large. */
export async function newJob(description: JobDescription, context: JobContext): Promise<NewJob> {
  const origins = await findPlaces(description.origins, 'origins', context);
  const destinations = await findDestinations(description, context);
  const scenarios = await findScenarios(description.scenarios ?? [''], context);
  const task = taskOf(description, destinations);
  const count = origins.positions.length / 2;
  const job: Job = {
    version: JOB_VERSION,
    id: randomUUID(),
    ...(description.name === undefined ? {} : { name: description.name.slice(0, LIMITS.name) }),
    router: context.router,
    graph: context.graph,
    graphFormat: GRAPH_FORMAT,
    task,
    request: requestOf(description, context),
    scenarios,
    origins: count,
    partOrigins: Math.min(count, description.partOrigins ?? usualPartOrigins(task, scenarios.length)),
    priority: description.priority ?? 5,
    created: new Date().toISOString(),
  };
  requireSize(job);
  await requireSearchable(job, context);
  const columns = task.kind === 'accessibility' ? chosenColumns(task, destinations) : undefined;
  return {
    job,
    origins: await placesCsv(origins.ids, origins.positions),
    ...(destinations && { destinations: await placesCsv(destinations.ids, destinations.positions, columns) }),
  };
}

async function findPlaces(sent: SentPlaces, name: string, { pointSet }: JobContext): Promise<Places> {
  if (typeof sent !== 'string') return { positions: sent, properties: new Map() };
  const set = await pointSet(sent);
  if (set === undefined) throw new BadParameter(name, `there is no point set ${quoted(sent)}`);
  if (set.size === 0) throw new BadParameter(name, `point set ${quoted(sent)} is empty`);
  return set;
}

async function findDestinations({ kind, destinations }: JobDescription, context: JobContext) {
  if (kind === 'isochrones') {
    if (destinations !== undefined) throw new BadParameter('destinations', 'isochrones have none');
    return undefined;
  }
  if (destinations === undefined) throw new BadParameter('destinations', `is required for ${kind}`);
  return findPlaces(destinations, 'destinations', context);
}

async function findScenarios(ids: readonly string[], { scenario }: JobContext): Promise<JobScenario[]> {
  if (ids.length === 0 || ids.length > LIMITS.scenarios || new Set(ids).size < ids.length) {
    throw new BadParameter('scenarios', `expected 1 to ${LIMITS.scenarios} different ids`);
  }
  const found: JobScenario[] = [];
  for (const id of ids) {
    const text = id === '' ? undefined : await scenario(id);
    if (id !== '' && text === undefined) throw new BadParameter('scenarios', `there is no scenario ${quoted(id)}`);
    found.push(text === undefined ? { id } : { id, text });
  }
  return found;
}

function requestOf({ kind, routing = {} }: JobDescription, { served, config }: JobContext): PlanRequest {
  const request = { ...requestNow(Query.of(routing), served, config), from: {}, to: {} };
  return kind === 'matrix' ? matrixRequest(request) : request;
}

function taskOf(description: JobDescription, destinations: Places | undefined): JobTask {
  const { kind } = description;
  const count = (destinations?.positions.length ?? 0) / 2;
  if (kind === 'matrix') return { kind, destinations: count, maxSeconds: description.maxTimeSec ?? 7200 };
  if (kind === 'isochrones') {
    const { precisionMeters: precisionM = 200, offRoadDistanceMeters: offRoadM = 150 } = description;
    return { kind, cutoffs: ascending(description.cutoffSec, 'cutoffSec'), precisionM, offRoadM };
  }
  // The destinations may have amounts with the name `count`, which are summed instead of their number.
  const all = new Set(['count', ...(destinations?.properties.keys() ?? [])]);
  const opportunities = description.opportunities ?? [...all];
  const window = windowOf(description);
  const cutoffs = ascending(description.cutoffMinutes, 'cutoffMinutes');
  return { kind, destinations: count, opportunities, cutoffs, ...(window && { window }) };
}

function windowOf({ window, step = 60, percentiles = ['50'] }: JobDescription): AccessibilityTask['window'] {
  if (window === undefined) return undefined;
  const names = percentiles.map(String);
  requireStatistics(names);
  return { minutes: window, step, percentiles: names };
}

function ascending(cutoffs: readonly number[] | undefined, name: string): number[] {
  const sorted = [...new Set(cutoffs)].sort((a, b) => a - b);
  if (sorted.length > 0 && sorted.length <= LIMITS.cutoffs) return sorted;
  throw new BadParameter(name, `expected 1 to ${LIMITS.cutoffs} times`);
}

/** The amounts that a job sums; throws for names that its files cannot have. */
function chosenColumns(
  { opportunities }: AccessibilityTask,
  destinations: Places | undefined,
): Map<string, Int32Array> {
  const count = new Set(opportunities).size;
  if (count === 0 || count > LIMITS.opportunities || count < opportunities.length) {
    throw new BadParameter('opportunities', `expected 1 to ${LIMITS.opportunities} different names`);
  }
  const columns = new Map<string, Int32Array>();
  for (const name of opportunities) {
    const amounts = destinations?.properties.get(name)?.amounts;
    if (amounts === undefined && name === 'count') continue;
    if (amounts === undefined) throw new BadParameter('opportunities', `the destinations have no ${quoted(name)}`);
    if (!isPossibleColumn(name))
      throw new BadParameter('opportunities', `${quoted(name)} cannot be the name of amounts`);
    columns.set(name, amounts);
  }
  return columns;
}

/** Refuses a request that no search accepts, so that the job is not found to fail after it has waited. */
async function requireSearchable(job: Job, { served }: JobContext): Promise<void> {
  try {
    await trySearch(served, job);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'INVALID_REQUEST') throw error;
    throw new HttpError(400, `${(error as Error).message}\n`);
  }
}

function requireSize(job: Job): void {
  const perOrigin = rowsPerOrigin(job.task, job.scenarios.length);
  if (perOrigin * job.partOrigins > LIMITS.partRows) {
    throw new HttpError(
      413,
      `a part would have more than ${LIMITS.partRows} rows: give fewer partOrigins or destinations\n`,
    );
  }
  if (partCount(job) > LIMITS.parts) throw new HttpError(413, `the job would have more than ${LIMITS.parts} parts\n`);
}
