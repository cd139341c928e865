/** Jobs: searches from many origins, in parts that any process can compute. */

import { jsonOf } from '../json.js';
import type { PlanRequest } from '../native/types.js';

/** Kinds of searches from each origin. */
export const JOB_KINDS = ['matrix', 'isochrones', 'accessibility'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Version of `job.json` and `manifest.json`; raised when a reader of the previous version would misunderstand them. */
export const JOB_VERSION = 1;

/** A schedule that is searched: that of the graph (no text), or the text of a scenario. */
export interface JobScenario {
  readonly id: string;
  readonly text?: string;
}

/** Seconds to every destination. */
export interface MatrixTask {
  readonly kind: 'matrix';
  readonly destinations: number;
  /** Longest time, seconds. */
  readonly maxSeconds: number;
}

/** The area reached within each cutoff. */
export interface IsochronesTask {
  readonly kind: 'isochrones';
  /** Seconds, ascending. */
  readonly cutoffs: readonly number[];
  /** Width of a cell of the sampling grid, and longest straight line from a street, metres. */
  readonly precisionM: number;
  readonly offRoadM: number;
}

/** How much of the destinations is reached within each cutoff. */
export interface AccessibilityTask {
  readonly kind: 'accessibility';
  readonly destinations: number;
  /** Names of the amounts that are summed; `count` is the number of destinations. */
  readonly opportunities: readonly string[];
  /** Minutes, ascending. */
  readonly cutoffs: readonly number[];
  /** Departures of a window; one departure when absent. */
  readonly window?: {
    readonly minutes: number;
    /** Seconds between departures. */
    readonly step: number;
    /** As in `WindowOptions.statistics`. */
    readonly percentiles: readonly string[];
  };
}

export type JobTask = MatrixTask | IsochronesTask | AccessibilityTask;

/** A job with everything that its result depends on, except the places, which are files beside it. */
export interface Job {
  readonly version: typeof JOB_VERSION;
  readonly id: string;
  readonly name?: string;
  readonly router: string;
  /** SHA-256 of the graph file. */
  readonly graph: string;
  /** Format version of the graph file: only versions of Trestle that read it compute the job. */
  readonly graphFormat: number;
  readonly task: JobTask;
  /** The search of every origin; its places are not used. */
  readonly request: PlanRequest;
  readonly scenarios: readonly JobScenario[];
  /** Number of origins, and of those in one part; the last part may have fewer. */
  readonly origins: number;
  readonly partOrigins: number;
  /** From 0 (last) to `HIGHEST_PRIORITY` (first). */
  readonly priority: number;
  /** ISO 8601. */
  readonly created: string;
  /** W3C `traceparent` of the request or command that submitted the job, if it is traced. */
  readonly trace?: string;
}

/** Consecutive origins of a job. */
export interface Part {
  readonly firstOrigin: number;
  readonly origins: number;
}

/** Jobs of this priority come first. */
export const HIGHEST_PRIORITY = 9;

/** Limits of a job. */
export const LIMITS = {
  /** Parts of a job. */
  parts: 100_000,
  partOrigins: 10_000,
  partRows: 4_000_000,
  cutoffs: 60,
  scenarios: 20,
  opportunities: 50,
  /** Jobs that are not finished, of all routers. */
  unfinished: 100,
  /** Characters of a name. */
  name: 200,
} as const;

/** Rows of a part, unless the description says how many origins it has. */
const USUAL_ROWS = 500_000;
const USUAL_ORIGINS: Readonly<Record<JobKind, number>> = { matrix: 1000, isochrones: 50, accessibility: 20 };

/** Rows of the result for each origin. */
export function rowsPerOrigin(task: JobTask, scenarios: number): number {
  if (task.kind === 'matrix') return task.destinations * scenarios;
  if (task.kind === 'isochrones') return task.cutoffs.length * scenarios;
  return task.cutoffs.length * task.opportunities.length * (task.window?.percentiles.length ?? 1) * scenarios;
}

/** Origins of a part when the request does not say how many. */
export function usualPartOrigins(task: JobTask, scenarios: number): number {
  const byRows = Math.floor(USUAL_ROWS / rowsPerOrigin(task, scenarios));
  return Math.max(1, Math.min(USUAL_ORIGINS[task.kind], byRows));
}

export function partCount({ origins, partOrigins }: Pick<Job, 'origins' | 'partOrigins'>): number {
  return Math.ceil(origins / partOrigins);
}

/** A part by its number, from 0. */
export function partOf({ origins, partOrigins }: Pick<Job, 'origins' | 'partOrigins'>, number: number): Part {
  const firstOrigin = number * partOrigins;
  return { firstOrigin, origins: Math.min(partOrigins, origins - firstOrigin) };
}

/** Whether an id may be that of a job: it names a directory. */
export function isLegalJobId(id: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(id);
}

/**
 * Reads a `job.json`. Throws an error with the reason if it cannot be used; `where` is its address, for the message.
 * With `id`, the job must have that id.
 */
export function readJob(text: string, where: string, id?: string): Job {
  const job = jsonOf(text) as Partial<Job> | null | undefined;
  if (typeof job?.version !== 'number') throw new Error(`${where} is not a Trestle job, or is incomplete`);
  if (job.version !== JOB_VERSION) {
    throw new Error(`${where} has version ${job.version}, but this version of Trestle reads version ${JOB_VERSION}`);
  }
  if (!isWhole(job)) throw new Error(`${where} is not a Trestle job, or is incomplete`);
  if (id !== undefined && job.id !== id) throw new Error(`${where} belongs to another job, ${job.id}`);
  return job;
}

/** Whether a description has every member that is needed to compute the job, each with a legal value. */
function isWhole(job: Partial<Job>): job is Job {
  const { id, router, graph, graphFormat, request, scenarios, created } = job;
  const isNamed =
    typeof id === 'string' && isLegalJobId(id) && typeof router === 'string' && typeof created === 'string';
  if (!isNamed || !/^[0-9a-f]{64}$/.test(graph ?? '') || typeof request !== 'object' || request === null) return false;
  if (!isWithin(graphFormat, 1) || !isWithin(job.origins, 1) || !isWithin(job.partOrigins, 1, LIMITS.partOrigins))
    return false;
  if (!isWithin(job.priority, 0, HIGHEST_PRIORITY) || partCount(job as Job) > LIMITS.parts) return false;
  const isScenario = (found: Partial<JobScenario> | null) =>
    typeof found?.id === 'string' && (found.text === undefined || typeof found.text === 'string');
  const areScenarios = Array.isArray(scenarios) && scenarios.length > 0 && scenarios.every(isScenario);
  return areScenarios && isTask(job.task);
}

function isTask(task: Partial<JobTask> | null | undefined): boolean {
  if (task?.kind === 'matrix') return isWithin(task.destinations, 1) && isWithin(task.maxSeconds, 1);
  const areCutoffs = (cutoffs: unknown) => Array.isArray(cutoffs) && cutoffs.every((cutoff) => isWithin(cutoff, 1));
  if (task?.kind === 'isochrones') return areCutoffs(task.cutoffs);
  if (task?.kind !== 'accessibility') return false;
  const { destinations, opportunities, cutoffs, window } = task;
  const isWindow = window === undefined || Array.isArray(window?.percentiles);
  return isWithin(destinations, 1) && Array.isArray(opportunities) && areCutoffs(cutoffs) && isWindow;
}

function isWithin(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
