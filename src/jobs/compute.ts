/** Computes parts of jobs. A part depends on nothing but the graph, the job with its places, and its number. */

import type { Graph, LinkedPoints, PlanRequest, SearchOptions } from '../native/types.js';
import type { AccessibilityTask, IsochronesTask, Job, MatrixTask, Part } from './job.js';
import type { TableWriter } from './table-writer.js';
import type { AccessRow, ContourRows, PartRows } from './tables.js';

/** Runs a search when there is a search thread for it. */
export type RunSearch = <T>(search: (options: SearchOptions) => Promise<T>) => Promise<T>;

/** A job with its graph and places open. */
export interface OpenJob {
  readonly job: Job;
  /** The graph under each scenario, in their order. */
  readonly graphs: readonly Graph[];
  /** lat, lon, lat, lon, ... */
  readonly origins: Float64Array;
  readonly destinations: Float64Array;
  /** The destinations joined to the streets of the graph of a scenario; `link` is called the first time. */
  linked(scenario: number, link: () => Promise<LinkedPoints>): Promise<LinkedPoints>;
}

/** The origin that a part failed for. */
class OriginError extends Error {
  constructor(
    readonly origin: number,
    cause: unknown,
  ) {
    super(`origin ${origin}: ${(cause as Error).message}`, { cause });
  }
}

/** The bytes of a part, which are the same in every process. */
export async function computePart(open: OpenJob, part: Part, run: RunSearch, tables: TableWriter): Promise<Uint8Array> {
  const { task } = open.job;
  let rows: PartRows;
  if (task.kind === 'matrix') rows = await matrix(open, task, part, run);
  else if (task.kind === 'isochrones') rows = await isochrones(open, task, part, run);
  else rows = { kind: 'accessibility', rows: await accessibility(open, task, part, run, tables) };
  return tables.encode(rows);
}

async function matrix(open: OpenJob, { maxSeconds }: MatrixTask, part: Part, run: RunSearch): Promise<PartRows> {
  const { job, graphs, destinations } = open;
  const { firstOrigin } = part;
  const origins = open.origins.subarray(2 * firstOrigin, 2 * (firstOrigin + part.origins));
  const originsLeft = open.origins.length / 2 - firstOrigin;
  const blocks = [];
  for (const [i, graph] of graphs.entries()) {
    const ends = { origins, originsLeft, destinations, maxSeconds };
    const seconds = await run((options) => graph.matrix(job.request, ends, options));
    blocks.push({ scenario: job.scenarios[i]?.id ?? '', seconds });
  }
  return { kind: 'matrix', firstOrigin, destinations: destinations.length / 2, blocks };
}

/** Decimals of coordinates: about a decimetre. */
const DECIMALS = 6;

async function isochrones(open: OpenJob, task: IsochronesTask, part: Part, run: RunSearch): Promise<ContourRows> {
  const rows: Array<ContourRows['rows'][number]> = [];
  await forEachSearch(open, part, async ({ origin, scenario, graph, request }) => {
    const contours = await onTheMap(run((options) => searchContours(graph, request, task, options)));
    for (const [i, cutoff] of task.cutoffs.entries())
      rows.push({ origin, scenario, cutoff, contour: shapeOf(contours?.[i]) });
  });
  return { kind: 'isochrones', rows };
}

function searchContours(
  graph: Graph,
  request: PlanRequest,
  { cutoffs, precisionM, offRoadM }: IsochronesTask,
  options?: SearchOptions,
) {
  const area = { maxSeconds: Math.max(...cutoffs), precisionM, offRoadM };
  return graph.isochrone(request, { area, cutoffs: [...cutoffs], decimals: DECIMALS }, options);
}

/** A contour without its text, which is the largest part of it. */
function shapeOf(contour: ContourRows['rows'][number]['contour']) {
  if (contour === undefined) return undefined;
  const { polygons, rings, coordinates } = contour;
  return { polygons, rings, coordinates };
}

async function accessibility(
  open: OpenJob,
  task: AccessibilityTask,
  part: Part,
  run: RunSearch,
  tables: TableWriter,
): Promise<AccessRow[]> {
  const { job } = open;
  const cutoffs = [...task.cutoffs];
  const percentiles = task.window?.percentiles ?? [undefined];
  // What each of the sums is about, in their order.
  const keys = cutoffs.flatMap((cutoff) => task.opportunities.map((opportunity) => ({ cutoff, opportunity })));
  const rows: AccessRow[] = [];
  await forEachSearch(open, part, async ({ origin, scenario, number, graph, request }) => {
    const surfaces = await onTheMap(run((options) => searchSurfaces(graph, request, task, options)));
    try {
      for (const [i, percentile] of percentiles.entries()) {
        const surface = surfaces?.[i];
        const points = surface && (await open.linked(number, () => surface.linkPoints(open.destinations)));
        const seconds = points && (await surface.timesTo(points));
        const sums = seconds && (await tables.sums(job.id, seconds, cutoffs));
        rows.push(...keys.map((key, i) => ({ origin, scenario, percentile, ...key, amount: sums?.[i] })));
      }
    } finally {
      for (const surface of surfaces ?? []) surface.dispose();
    }
  });
  return rows;
}

async function searchSurfaces(
  graph: Graph,
  request: PlanRequest,
  { window, cutoffs }: AccessibilityTask,
  options?: SearchOptions,
) {
  const cutoffSeconds = 60 * Math.max(...cutoffs);
  if (window === undefined) return [await graph.surface(request, { cutoffSeconds }, options)];
  const statistics = [...window.percentiles];
  const query = { cutoffSeconds, windowSeconds: 60 * window.minutes, stepSeconds: window.step, statistics };
  return graph.windowSurfaces(request, query, options);
}

/** No street is near it, so that a search from there ends at once. */
const SOUTH_POLE = { lat: -90, lon: 0 };

const TRIAL_SECONDS = 10;

/**
 * Rejects if the request of a job cannot be searched, as each of its searches would. The search that is tried is short,
 * because it starts nowhere.
 */
export async function trySearch(graph: Graph, { request, task }: Pick<Job, 'request' | 'task'>): Promise<void> {
  const nowhere = { ...request, from: SOUTH_POLE, to: SOUTH_POLE };
  const none = new Float64Array();
  const options = { deadline: TRIAL_SECONDS };
  if (task.kind === 'matrix')
    await graph.matrix(request, { origins: none, destinations: none, maxSeconds: task.maxSeconds }, options);
  else if (task.kind === 'isochrones') await onTheMap(searchContours(graph, nowhere, task, options));
  else await onTheMap(searchSurfaces(graph, nowhere, task, options));
}

/** A search from an origin under a scenario. */
interface Search {
  readonly origin: number;
  readonly scenario: string;
  /** Number of the scenario. */
  readonly number: number;
  readonly graph: Graph;
  readonly request: PlanRequest;
}

/** Runs the searches of a part one after the other; an error names its origin. */
async function forEachSearch(
  { job, graphs, origins }: OpenJob,
  { firstOrigin, origins: count }: Part,
  work: (search: Search) => Promise<void>,
): Promise<void> {
  for (let origin = firstOrigin; origin < firstOrigin + count; origin += 1) {
    const place = { lat: origins[2 * origin], lon: origins[2 * origin + 1] };
    const request = { ...job.request, [job.request.arriveBy ? 'to' : 'from']: place };
    for (const [number, graph] of graphs.entries()) {
      const scenario = job.scenarios[number]?.id ?? '';
      await work({ origin, scenario, number, graph, request }).catch((error) => {
        throw isStop(error) ? error : new OriginError(origin, error);
      });
    }
  }
}

/** Undefined when the place is off the map, which is a result. */
function onTheMap<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error) => {
    if (codeOf(error) === 'PLACE_NOT_FOUND') return undefined;
    throw error;
  });
}

/** Whether a search was stopped. */
function isStop(error: unknown): boolean {
  return codeOf(error) === 'ABORTED' || codeOf(error) === 'DISPOSED';
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
