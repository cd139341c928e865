/** Runs `trestle bench`. Loaded only then, because it needs HTTP clients. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { countDominated, dominatedText } from '../../bench/dominated.js';
import { HttpTarget } from '../../bench/http-target.js';
import { InProcessTarget } from '../../bench/in-process-target.js';
import { LiveTarget } from '../../bench/live-target.js';
import { startOwnServer } from '../../bench/own-server.js';
import { atRandomTimes, dayOf } from '../../bench/random-trips.js';
import { type BenchReport, compareSeries, emptyReport, reportText } from '../../bench/report.js';
import { REQUEST_KINDS, type Workload } from '../../bench/request-kinds.js';
import { runSeries, type Series } from '../../bench/series.js';
import type { Target } from '../../bench/target.js';
import { tripUpdateMessages } from '../../bench/trip-updates.js';
import { counted } from '../../counted.js';
import { GRAPH_FILE } from '../../registry/graph-file.js';
import { CommandFailure, EXIT } from '../failure.js';
import { type BenchArguments, findPairs, findStops, settingsOf } from './bench-inputs.js';

/** Longest wait for our own server; its first start may build the graph. */
const START_MS = 600_000;

/** Times the kinds of requests, prints the figures, and fails when answers were wrong. */
export async function bench(args: BenchArguments): Promise<void> {
  if (args.check === 'dominated') return checkDominated(args);
  const server = args.http && !args.url ? await ownServer(args) : undefined;
  const base = args.url ?? server?.base;
  const open: Target[] = [];
  try {
    const places = await findPlaces(args, base);
    const inProcess = args.inProcess ? await openGraph(args) : undefined;
    const http = base === undefined ? undefined : new HttpTarget('http', base, server?.pid);
    const other = args.compare ? new HttpTarget('other', args.compare) : undefined;
    open.push(...present([inProcess, http, other]));
    const date = args.date ?? (await open[0]?.today(args.router)) ?? '';
    await warnOutsideService(open[0], args.router, date);
    const live = inProcess && args.tripUpdates > 0 ? await liveTarget(inProcess, args, date) : undefined;
    open.push(...present([live]));

    const report = await measure(present([inProcess, live, http]), args, { ...places, date });
    if (inProcess) report.openMs = inProcess.openMs;
    if (other) await runComparison(other, args, { ...places, date }, report);
    await print(report, reportText(report), args.json);
    failIfFaulty(report);
  } finally {
    for (const target of open) await target.close();
    await server?.stop();
  }
}

function present(targets: ReadonlyArray<Target | undefined>): Target[] {
  return targets.filter((target) => target !== undefined);
}

/** Says so when the day of the requests is outside the timetables: without vehicles the figures would look very good. */
async function warnOutsideService(target: Target | undefined, router: string, date: string): Promise<void> {
  const period = await target?.servicePeriod(router);
  if (!period) return;
  const { starts } = dayOf(period, date);
  if (starts < period.starts || starts >= period.ends) {
    process.stderr.write(`trestle: ${date} is outside the timetables: no vehicle runs; see --date\n`);
  }
}

async function measure(targets: readonly Target[], args: BenchArguments, workload: Workload): Promise<BenchReport> {
  const report = emptyReport(workload.date, workload.time, workload.pairs.length);
  for (const target of targets) report.series.push(...(await runKinds(target, args, workload)));
  for (const kind of args.kinds) {
    if (targets.some((target) => target.answers(kind))) continue;
    process.stderr.write(`trestle: ${kind} is not measured: only a server answers such requests\n`);
  }
  return report;
}

function failIfFaulty({ series }: BenchReport): void {
  const faulty = series.filter((row) => row.target !== 'other' && row.failed + row.infeasible > 0);
  if (faulty.length > 0) throw new CommandFailure(`${faulty.length} series with failed or infeasible answers`);
}

async function liveTarget(
  plain: InProcessTarget,
  { tripUpdates, time, seed }: BenchArguments,
  date: string,
): Promise<LiveTarget> {
  const messages = await tripUpdateMessages(plain.graph, tripUpdates, date, time, seed);
  return new LiveTarget(plain, plain.graph, messages);
}

/** Counts answers that another trip dominates, prints every case, and fails when there is one. */
async function checkDominated(args: BenchArguments): Promise<void> {
  const { router, url, count, seed } = args;
  const settings = settingsOf(args);
  const target = url === undefined ? await openGraph(args) : new HttpTarget('http', url);
  try {
    const stops = args.pairs === undefined ? await findStops(args, url) : [];
    const period = await target.servicePeriod(router);
    if (!period) throw new CommandFailure(`router ${router} has no transit service`, EXIT.usage);
    const days = args.date === undefined ? period : dayOf(period, args.date);
    const trips = atRandomTimes(await findPairs(args, stops), days, seed);
    const counts = await countDominated(target, router, trips, settings, Math.max(...args.workers));
    await print(counts, dominatedText(counts), args.json);
    const bad = counts.reduce((sum, { dominated, failed }) => sum + dominated.length + failed, 0);
    if (bad > 0) throw new CommandFailure(`dominated or failed answers: ${bad} of ${2 * count}`);
  } finally {
    await target.close();
  }
}

function openGraph({ graphs, router }: BenchArguments): Promise<InProcessTarget> {
  return InProcessTarget.open(path.join(graphs, router, GRAPH_FILE));
}

function ownServer({ graphs, router }: BenchArguments) {
  const entry = fileURLToPath(new URL('../main.js', import.meta.url));
  return startOwnServer({ entry, graphs, router, startMs: START_MS });
}

/** The places of the requests, without their day. */
async function findPlaces(args: BenchArguments, base: string | undefined): Promise<Omit<Workload, 'date'>> {
  const settings = settingsOf(args);
  const needsStops = !args.pairs || args.kinds.includes('stopTimes');
  const stops = needsStops ? await findStops(args, base) : [];
  const pairs = await findPairs(args, stops);
  return { router: args.router, pairs, stops, time: args.time, settings };
}

async function runKinds(target: Target, args: BenchArguments, workload: Workload): Promise<Series[]> {
  const list: Series[] = [];
  for (const name of args.kinds) {
    if (!target.answers(name)) continue;
    const requests = REQUEST_KINDS[name]?.make(workload) ?? [];
    for (const atATime of args.workers) {
      process.stderr.write(`${target.name}: ${name}, ${counted(requests.length, 'request')}, ${atATime} at a time\n`);
      const timed = () => runSeries(target, name, requests, atATime, args);
      list.push(await (target.during?.(timed) ?? timed()));
    }
  }
  return list;
}

async function runComparison(other: Target, args: BenchArguments, workload: Workload, report: BenchReport) {
  const router = args.compareRouter ?? args.router;
  const own = report.series.filter((row) => row.target === 'http');
  const theirs = await runKinds(other, args, { ...workload, router });
  report.series.push(...theirs);
  report.comparisons = compareSeries(own, theirs);
}

/** Prints results as text, or as JSON if requested without a file. */
async function print(results: unknown, text: string, json: string | true | undefined): Promise<void> {
  const values = `${JSON.stringify(results, null, 1)}\n`;
  if (typeof json === 'string') await writeFile(json, values);
  process.stdout.write(json === true ? values : text);
}
