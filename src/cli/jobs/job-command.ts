/** `trestle job`: searches from many origins, in parts, whose results are files. */

import path from 'node:path';
import { Command } from 'commander';
import { addHelp } from '../help-command.js';
import { collected, timeOfDay } from '../option-values.js';
import type { JobAction, QueueArguments } from './job-queue.js';
import type { JobArguments } from './run-job.js';

export function jobCommand(): Command {
  const commands = [matrix(), isochrones(), accessibility(), status(), list(), ...changes()];
  const command = new Command('job').description('search from many origins, with results as Parquet files');
  for (const one of commands) command.addCommand(one);
  return addHelp(command);
}

function matrix(): Command {
  return submitting('matrix', 'seconds from every origin to every destination', true).option(
    '--maxTimeSec <seconds>',
    'longest time (default: 7200)',
  );
}

function isochrones(): Command {
  return submitting('isochrones', 'the area reached within given times from every origin', false)
    .requiredOption('--cutoffSec <list>', 'times in seconds, for example 900,1800')
    .option('--precisionMeters <metres>', 'width of a cell of the sampling grid (default: 200)')
    .option('--offRoadDistanceMeters <metres>', 'longest straight line from a street (default: 150)');
}

function accessibility(): Command {
  return submitting('accessibility', 'how much of the destinations every origin reaches within given times', true)
    .requiredOption('--cutoffMinutes <list>', 'times in minutes, for example 30,45,60')
    .option('--window <minutes>', 'search all departures within this many minutes (default: one departure)')
    .option('--step <seconds>', 'time between two of these departures (default: 60)')
    .option('--percentiles <list>', '0 to 100, min, avg, max (default: 50)')
    .option('--opportunities <list>', 'columns of the destinations, or count (default: all)');
}

function status(): Command {
  return atQueue(new Command('status'))
    .description('show the progress of a job')
    .argument('<job>', 'folder of a job, or the id of a job in the queue')
    .option('--json', 'print the job as JSON')
    .action(async (name: string, args: JobArguments & { json?: boolean }) => {
      const { showStatus } = await import('./run-job.js');
      await showStatus(name, args);
    });
}

function list(): Command {
  return atQueue(new Command('list'))
    .description('list the jobs of the queue')
    .option('--json', 'print the jobs as JSON')
    .action(async (args: QueueArguments & { json?: boolean }) => {
      const { listJobs } = await import('./job-queue.js');
      await listJobs(args, args.json ?? false);
    });
}

function changes(): Command[] {
  return ACTIONS.map(([action, description]) =>
    atQueue(new Command(action))
      .description(description)
      .argument('<id>', 'id of the job')
      .action(async (id: string, args: QueueArguments) => {
        const { changeJob } = await import('./job-queue.js');
        await changeJob(action, id, args);
      }),
  );
}

const ACTIONS = [
  ['cancel', 'cancel a job of the queue; the finished parts are kept'],
  ['resume', 'resume a job of the queue that failed or was cancelled'],
  ['remove', 'remove a job of the queue that has ended, with its result'],
] as const satisfies ReadonlyArray<readonly [JobAction, string]>;

/** Adds the options that say where a queue of jobs is. */
export function atQueue(command: Command): Command {
  return command
    .option('--redis <url>', 'address of Redis or Valkey with the queue (better as TRESTLE_REDIS)')
    .option('--redisPrefix <text>', 'prefix of all keys in Redis')
    .option('--jobs <place>', 'directory of jobs that all machines share, or s3://bucket/prefix')
    .option('--s3Endpoint <url>', "address of the object store, if it is not Amazon's");
}

function submitting(kind: 'matrix' | 'isochrones' | 'accessibility', description: string, toPlaces: boolean): Command {
  const command = new Command(kind)
    .description(description)
    .argument('<origins>', 'CSV, GeoJSON or zipped shapefile; CSV has the columns lat and lon, and optionally id');
  if (toPlaces) command.argument('<destinations>', 'the same, optionally with columns of whole numbers');
  return atQueue(command)
    .option('--queue', 'let workers compute it (trestle work), instead of this command')
    .option('--detach', 'with --queue: print the id of the job and do not wait for its end')
    .option('--priority <n>', 'with --queue: 0 to 9; jobs with a higher priority come first')
    .option('--router <id>', 'router of the graph (default: the name of its directory)')
    .option('--out <folder>', 'folder of the result; repeating the command continues the job', 'job')
    .option('--graph <file>', 'graph file or the directory of one', path.join('graphs', 'default'))
    .option('--scenario <name>', 'scenario by id, or a .json file; "" is the schedule; may be repeated', collected)
    .option('--date <date>', 'for example 2026-11-23 (default: today)')
    .option('--time <time>', 'for example 8:15', timeOfDay, '8:00')
    .option('--mode <modes>', 'for example TRANSIT,WALK or BICYCLE')
    .option('--routing <name=value>', 'any other parameter of the search; may be repeated', collected)
    .option('--partOrigins <n>', 'origins per part of the work')
    .option('--name <text>', 'a readable name')
    .action(async (...parsed: unknown[]) => {
      const places = parsed.slice(0, toPlaces ? 2 : 1).map(String);
      const { runJob } = await import('./run-job.js');
      await runJob(kind, places, command.opts<JobArguments>());
    });
}
