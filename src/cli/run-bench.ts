/** What `trestle bench` does. Loaded when it runs: it brings HTTP clients along. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HttpTarget } from '../bench/http-target.js';
import { InProcessTarget } from '../bench/in-process-target.js';
import { startOwnServer } from '../bench/own-server.js';
import { type Pair, randomPairs, readPairs, type StopPlace } from '../bench/pairs.js';
import { type BenchReport, compareSeries, emptyReport, reportText } from '../bench/report.js';
import { REQUEST_KINDS, type Scenario } from '../bench/request-kinds.js';
import { runSeries, type Series } from '../bench/series.js';
import { stopsOfFeeds, stopsOfServer } from '../bench/stops.js';
import type { Target } from '../bench/target.js';
import { GRAPH_FILE } from '../registry/graph-file.js';
import { CommandFailure, EXIT } from './failure.js';

/** The arguments of the command. */
export interface BenchArguments {
  graphs: string;
  router: string;
  url?: string;
  inProcess: boolean;
  http: boolean;
  compare?: string;
  compareRouter?: string;
  pairs?: string;
  feeds?: string;
  count: number;
  seed: number;
  kinds: string[];
  workers: number[];
  warmUp: number;
  rounds: number;
  date?: string;
  time: string;
  set: string[];
  json?: string | true;
}

/** Longest wait for our own server; its first start may build the graph. */
const START_MS = 600_000;

/** Times the kinds of requests, prints the figures, and fails when answers were wrong. */
export async function bench(args: BenchArguments): Promise<void> {
  const server = args.http && !args.url ? await ownServer(args) : undefined;
  const targets: Target[] = [];
  let other: Target | undefined;
  try {
    const base = args.url ?? server?.base;
    const scenario = await makeScenario(args, base);
    const report = emptyReport(scenario.date, scenario.time, scenario.pairs.length);
    if (args.inProcess) {
      const target = await InProcessTarget.open(path.join(args.graphs, args.router, GRAPH_FILE));
      report.openMs = target.openMs;
      targets.push(target);
    }
    if (base !== undefined) targets.push(new HttpTarget('http', base, server?.pid));
    if (args.compare) other = new HttpTarget('other', args.compare);
    for (const target of targets) report.series.push(...(await runKinds(target, args, scenario)));
    if (other) await runComparison(other, args, scenario, report);
    await printReport(report, args.json);
    const faulty = report.series.filter((row) => row.target !== 'other' && row.failed + row.infeasible > 0);
    if (faulty.length > 0) throw new CommandFailure(`${faulty.length} series with failed or infeasible answers`);
  } finally {
    for (const target of [...targets, ...(other ? [other] : [])]) await target.close();
    await server?.stop();
  }
}

function ownServer({ graphs, router }: BenchArguments) {
  const entry = fileURLToPath(new URL('./main.js', import.meta.url));
  return startOwnServer({ entry, graphs, router, startMs: START_MS });
}

async function makeScenario(args: BenchArguments, base: string | undefined): Promise<Scenario> {
  const settings = Object.fromEntries(args.set.map(assignment));
  const date = args.date ?? new Date().toISOString().slice(0, 10);
  const needsStops = !args.pairs || args.kinds.includes('stopTimes');
  const stops = needsStops ? await findStops(args, base) : [];
  const pairs: Pair[] = args.pairs
    ? (await readPairs(args.pairs)).slice(0, args.count)
    : randomPairs(stops, args.count, args.seed);
  return { router: args.router, pairs, stops, date, time: args.time, settings };
}

/** The stops of the feeds named, else those that the running server lists, else those of the feeds beside the graph. */
async function findStops({ feeds, graphs, router }: BenchArguments, base: string | undefined): Promise<StopPlace[]> {
  const listed = base === undefined || feeds ? undefined : await stopsOfServer(base, router).catch(() => undefined);
  const stops = listed ?? (await stopsOfFeeds(feeds ?? path.join(graphs, router)).catch(() => []));
  if (stops.length < 2) {
    throw new CommandFailure(`no stops found for router ${router}: give pairs with --pairs or --feeds`, EXIT.usage);
  }
  return stops;
}

async function runKinds(target: Target, args: BenchArguments, scenario: Scenario): Promise<Series[]> {
  const list: Series[] = [];
  for (const name of args.kinds) {
    if (!target.answers(name)) continue;
    const requests = REQUEST_KINDS[name]?.make(scenario) ?? [];
    for (const workers of args.workers) {
      process.stderr.write(`${target.name}: ${name}, ${requests.length} requests, ${workers} at a time\n`);
      list.push(await runSeries(target, name, requests, workers, args));
    }
  }
  return list;
}

async function runComparison(other: Target, args: BenchArguments, scenario: Scenario, report: BenchReport) {
  const router = args.compareRouter ?? args.router;
  const own = report.series.filter((row) => row.target === 'http');
  const theirs = await runKinds(other, args, { ...scenario, router });
  report.series.push(...theirs);
  report.comparisons = compareSeries(own, theirs);
}

async function printReport(report: BenchReport, json: string | true | undefined): Promise<void> {
  const text = `${JSON.stringify(report, null, 1)}\n`;
  if (typeof json === 'string') await writeFile(json, text);
  process.stdout.write(json === true ? text : reportText(report));
}

function assignment(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new CommandFailure(`--set ${text}: expected name=value`, EXIT.usage);
  return [text.slice(0, at), text.slice(at + 1)];
}
