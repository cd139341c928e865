/** Runs `trestle job`. */

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { readPointSet } from '../../analysis/point-set-file.js';
import { elementsOf } from '../../comma-list.js';
import { readJobDescription } from '../../http/resources/jobs/job-description.js';
import { newJob } from '../../http/resources/jobs/new-job.js';
import { HttpError } from '../../http-error.js';
import { FolderFiles } from '../../jobs/folder-files.js';
import type { Job } from '../../jobs/job.js';
import { FILES, type JobFiles, type JobPlace } from '../../jobs/job-files.js';
import type { NewJob } from '../../jobs/jobs.js';
import { readProgress } from '../../jobs/local-job.js';
import { LocalJobs } from '../../jobs/local-jobs.js';
import { PartMaker } from '../../jobs/part-maker.js';
import { type JobStatus, statusOf } from '../../jobs/status.js';
import { jobOf } from '../../jobs/stored-jobs.js';
import { loadAddon, openChecked } from '../../native/addon.js';
import type { Graph } from '../../native/types.js';
import { quoted } from '../../quoted.js';
import { presentJob } from '../../serialization/job.js';
import { fileSha256 } from '../../storage/file-hash.js';
import { dateOf } from '../../zoned-time.js';
import { CommandFailure, EXIT } from '../failure.js';
import { configIn, graphFileOf, scenarioText } from '../graph-argument.js';
import { assignment } from '../option-values.js';
import { readPlaceFile } from '../place-file.js';
import { type ProgressDisplay, progressDisplay } from '../progress.js';
import { knowsQueue, type QueueArguments, queuedJob, submitToQueue } from './job-queue.js';
import { reportJob, statusLine } from './job-text.js';

/** Options of the command, as texts. */
export interface JobArguments extends QueueArguments {
  /** Whether workers compute the job. */
  readonly queue?: boolean;
  readonly detach?: boolean;
  readonly router?: string;
  readonly priority?: string;
  readonly out: string;
  readonly graph: string;
  readonly scenario?: readonly string[];
  readonly date?: string;
  readonly time?: string;
  readonly mode?: string;
  readonly routing?: readonly string[];
  readonly partOrigins?: string;
  readonly name?: string;
  readonly maxTimeSec?: string;
  readonly cutoffSec?: string;
  readonly precisionMeters?: string;
  readonly offRoadDistanceMeters?: string;
  readonly cutoffMinutes?: string;
  readonly window?: string;
  readonly step?: string;
  readonly percentiles?: string;
  readonly opportunities?: string;
}

/** Options that are lists, and those that are passed on as they are. */
const LISTS = ['cutoffSec', 'cutoffMinutes', 'percentiles', 'opportunities'] as const;
const SINGLE = [
  'name',
  'partOrigins',
  'maxTimeSec',
  'precisionMeters',
  'offRoadDistanceMeters',
  'window',
  'step',
] as const;

/** Computes a job into a folder, or continues the one that is there. */
export async function runJob(kind: string, places: readonly string[], args: JobArguments): Promise<void> {
  const file = graphFileOf(args.graph);
  const { Graph } = await loadAddon();
  const made = await Graph.open(file).then(async (graph) => {
    try {
      return await describe(kind, places, args, graph, file);
    } finally {
      graph.dispose();
    }
  });
  if (args.queue) return submitToQueue(made, args, args.detach ?? false);
  const files = new FolderFiles(args.out);
  const job = (await jobThere(files, made)) ?? made.job;
  const status = await compute({ ...made, job }, files, () => openChecked(file));
  reportJob(status);
}

async function describe(
  kind: string,
  [origins = '', destinations]: readonly string[],
  args: JobArguments,
  graph: Graph,
  file: string,
): Promise<NewJob> {
  try {
    const description = readJobDescription(JSON.stringify(descriptionOf(kind, origins, destinations, args, graph)));
    return await newJob(description, {
      router: args.router ?? path.basename(path.dirname(path.resolve(file))),
      served: graph,
      config: configIn(graph),
      graph: await fileSha256(file),
      pointSet: (file) => readPlaceFile(file, readPointSet),
      scenario: (name) => scenarioText(file, name),
    });
  } catch (error) {
    if (error instanceof HttpError) throw new CommandFailure(error.message.trimEnd(), EXIT.usage);
    throw error;
  }
}

function descriptionOf(
  kind: string,
  origins: string,
  destinations: string | undefined,
  args: JobArguments,
  graph: Graph,
): Record<string, unknown> {
  const routing: Record<string, string> = { date: args.date ?? dateOf(Date.now() / 1000, graph) };
  for (const name of ['time', 'mode'] as const) if (args[name] !== undefined) routing[name] = args[name];
  Object.assign(routing, Object.fromEntries((args.routing ?? []).map((text) => assignment('--routing', text))));
  const description: Record<string, unknown> = { kind, origins, destinations, routing, scenarios: args.scenario };
  for (const name of SINGLE) description[name] = args[name];
  for (const name of LISTS) if (args[name] !== undefined) description[name] = elementsOf(args[name]);
  return description;
}

/** The job in a folder. It has to be the same job, because no other can be continued there. */
async function jobThere(files: JobFiles, made: NewJob): Promise<Job | undefined> {
  const text = await files.readText(FILES.job);
  if (text === undefined) return undefined;
  const present = await jobOf(files);
  const content = ({ id, created, name, priority, ...rest }: Job) => JSON.stringify(rest);
  const same =
    content(present) === content(made.job) &&
    (await files.readText(FILES.origins)) === made.origins &&
    (await files.readText(FILES.destinations)) === made.destinations;
  if (same) return present;
  throw new CommandFailure(`${files.address} holds another job; choose another --out`, EXIT.usage);
}

/** Computes with all processors. */
async function compute(made: NewJob, files: JobFiles, open: () => Promise<Graph>): Promise<JobStatus> {
  const display = await progressDisplay();
  let failure: (error: unknown) => void = () => {};
  let ended: (status: JobStatus) => void = () => {};
  const end = new Promise<JobStatus>((resolve, reject) => {
    ended = resolve;
    failure = reject;
  });
  const jobs = new LocalJobs({
    place: onlyPlace(files),
    maker: new PartMaker({ open }),
    parallel: availableParallelism(),
    onEnd: ended,
    onError: failure,
  });
  const shown = setInterval(() => void show(jobs, made.job.id, display), SHOW_MS);
  const stop = () => failure(new CommandFailure('interrupted; run the same command again to continue', EXIT.failed));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await jobs.submit(made);
    return await end;
  } finally {
    clearInterval(shown);
    process.off('SIGINT', stop).off('SIGTERM', stop);
    display.stop();
    await jobs.close();
  }
}

/** Pause between two views of the progress, milliseconds. */
const SHOW_MS = 500;

async function show(jobs: LocalJobs, id: string, { listener }: ProgressDisplay): Promise<void> {
  const status = await jobs.get(id);
  if (status !== undefined) listener(status.job.task.kind, status.originsDone / status.job.origins);
}

/** A folder that holds one job. */
function onlyPlace(files: JobFiles): JobPlace {
  return {
    ids: async () => [],
    files: async () => files,
    remove: () => Promise.reject(new Error('a command does not remove jobs')),
  };
}

/** Prints the progress of a job: of the one in a folder, or of one of the queue by its id. */
export async function showStatus(name: string, args: QueueArguments & { readonly json?: boolean }): Promise<void> {
  const files = new FolderFiles(name);
  const isFolder = (await files.readText(FILES.job)) !== undefined;
  if (!isFolder && !knowsQueue(args)) {
    const advice = 'to look in the queue, give --redis and --jobs';
    throw new CommandFailure(`there is no job in the folder ${quoted(name)}; ${advice}`, EXIT.failed);
  }
  const status = isFolder ? await folderStatus(files) : await queuedJob(name, args);
  console.log(args.json ? JSON.stringify(presentJob(status), null, 1) : statusLine(status));
}

async function folderStatus(files: JobFiles): Promise<JobStatus> {
  return statusOf(await jobOf(files), await readProgress(files), files.address, Date.now());
}
