/** `trestle matrix`: travel times from many places to many places, as CSV. */

import { createWriteStream } from 'node:fs';
import { readFile, truncate } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { Command } from 'commander';
import { originSlices } from '../analysis/matrix.js';
import { PointSetError, parseCsvPoints } from '../analysis/point-set.js';
import { EMPTY_ROUTER_CONFIG } from '../config/router-config.js';
import { Query } from '../http/params/query.js';
import { routerDefaults } from '../http/params/router-defaults.js';
import { routingRequest } from '../http/params/routing-request.js';
import { graphInfo } from '../native/graph-info.js';
import type { Graph, PlanRequest } from '../native/types.js';
import { CommandFailure, EXIT } from './failure.js';
import { openGraph, SCENARIO_HELP } from './graph-argument.js';
import { progressDisplay } from './progress.js';

interface MatrixArguments {
  graph: string;
  scenario?: string;
  output: string;
  date?: string;
  time?: string;
  mode?: string;
  maxTime: string;
  resume?: boolean;
}

/** The command. */
export function matrixCommand(): Command {
  return new Command('matrix')
    .description('travel times in seconds from every origin to every destination, one CSV line per origin')
    .argument('<origins>', 'CSV file with the columns lat and lon')
    .argument('<destinations>', 'CSV file with the columns lat and lon')
    .option('--graph <file>', 'graph file or the directory of one', path.join('graphs', 'default'))
    .option('--scenario <name>', SCENARIO_HELP)
    .option('-o, --output <file>', 'where the times go', 'matrix.csv')
    .option('--date <date>', 'for example 2026-11-23 (default: today)')
    .option('--time <time>', 'for example 8:15', '8:00')
    .option('--mode <modes>', 'for example TRANSIT,WALK or BICYCLE')
    .option('--maxTime <seconds>', 'longest time', '7200')
    .option('--resume', 'go on behind the last whole line of the output')
    .action(matrix);
}

async function matrix(originsFile: string, destinationsFile: string, args: MatrixArguments): Promise<void> {
  const [origins, destinations] = await Promise.all([readPlaces(originsFile), readPlaces(destinationsFile)]);
  const maxSeconds = Number(args.maxTime);
  if (!Number.isInteger(maxSeconds) || maxSeconds < 1) {
    throw new CommandFailure(`--maxTime ${args.maxTime}: expected whole seconds`, EXIT.usage);
  }
  const { graph, close } = await openGraph(args.graph, args.scenario);
  const done = args.resume ? await wholeLines(args.output, destinations.length / 2) : 0;
  const display = progressDisplay();
  const started = performance.now();
  try {
    await write(graph, readRequest(args, graph), { origins, destinations, maxSeconds, done }, args.output, (fraction) =>
      display.listener('matrix', fraction),
    );
  } finally {
    display.stop();
    close();
  }
  const seconds = (performance.now() - started) / 1000;
  const count = origins.length / 2 - done;
  console.log(`${count} origins in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second: ${args.output}`);
}

interface Task {
  readonly origins: Float64Array;
  readonly destinations: Float64Array;
  readonly maxSeconds: number;
  /** Origins whose lines are already there. */
  readonly done: number;
}

const UNREACHED = 2 ** 31 - 1;

/** Keeps every processor busy with a slice of origins and writes the lines in order. */
async function write(
  graph: Graph,
  request: PlanRequest,
  { origins, destinations, maxSeconds, done }: Task,
  output: string,
  progress: (fraction: number) => void,
): Promise<void> {
  const width = destinations.length / 2;
  const file = createWriteStream(output, { flags: done > 0 ? 'a' : 'w' });
  const running: Array<Promise<Int32Array>> = [];
  let written = done;
  const writeNext = async () => {
    const times = await running.shift();
    if (times === undefined) return;
    for (let at = 0; at < times.length; at += width) {
      const line = Array.from(times.subarray(at, at + width), (s) => (s === UNREACHED ? '' : s)).join(',');
      file.write(`${written},${line}\n`);
      written += 1;
    }
    progress(written / (origins.length / 2));
  };
  for (const slice of originSlices(origins.subarray(done * 2), width)) {
    running.push(graph.matrix(request, { origins: slice, destinations, maxSeconds }));
    if (running.length > availableParallelism()) await writeNext();
  }
  while (running.length > 0) await writeNext();
  file.end();
  await finished(file);
}

/** Counts the whole lines of an earlier run and cuts off what follows them. */
async function wholeLines(file: string, width: number): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  const count = lines === '' ? 0 : lines.trimEnd().split('\n').length;
  const first = lines.slice(0, lines.indexOf('\n')).split(',').length;
  if (count > 0 && first !== width + 1) {
    throw new CommandFailure(`${file} has ${first - 1} destinations, not ${width}`, EXIT.usage);
  }
  if (lines.length < text.length) await truncate(file, Buffer.byteLength(lines));
  return count;
}

async function readPlaces(file: string): Promise<Float64Array> {
  try {
    return parseCsvPoints(await readFile(file, 'utf8'), 'places').positions;
  } catch (error) {
    if (error instanceof PointSetError) throw new CommandFailure(`${file}: ${error.message}`, EXIT.usage);
    throw error;
  }
}

function readRequest(args: MatrixArguments, graph: Graph): PlanRequest {
  const query = new URLSearchParams({ date: args.date ?? new Date().toISOString().slice(0, 10) });
  if (args.time !== undefined) query.set('time', args.time);
  if (args.mode !== undefined) query.set('mode', args.mode);
  const context = {
    timeZone: graphInfo(graph).timeZone,
    nowMs: Date.now(),
    defaults: routerDefaults(EMPTY_ROUTER_CONFIG),
  };
  return routingRequest(new Query(query.toString()), context);
}
