/**
 * A process of the scale suite: builds a graph or searches it, and prints the time and memory that it took as JSON.
 * Each measurement has a process of its own, so that the peak memory is that of this measurement alone.
 */

import path from 'node:path';
import { loadAddon } from '../../native/addon.js';
import { GRAPH_FILE } from '../../registry/graph-file.js';
import { InProcessTarget } from '../in-process-target.js';
import { randomPairs } from '../pairs.js';
import { REQUEST_KINDS } from '../request-kinds.js';
import { runSeries } from '../series.js';
import { percentile } from '../statistics.js';
import { stopsOfFeeds } from '../stops.js';
import type { BuildMeasurements, RequestMeasurements } from './measurement.js';

const OPENINGS = 9;
const KINDS = ['plan', 'walk', 'bike', 'car'];

/** Builds the graph of a directory. */
async function build(directory: string): Promise<BuildMeasurements> {
  const { Graph } = await loadAddon();
  const started = performance.now();
  const report = await Graph.build(directory);
  const seconds = (performance.now() - started) / 1000;
  const { bytes, steps } = report;
  const { vertices, edges, trips } = report.info;
  return {
    seconds,
    peakBytes: peakBytes(),
    steps: Object.fromEntries(steps.map(({ step, seconds }) => [step, seconds])),
    fileBytes: bytes,
    vertices,
    edges,
    trips,
  };
}

/** Searches the graph of a directory between this many random pairs of stops. */
async function ask(directory: string, pairs: number, date: string): Promise<RequestMeasurements> {
  const file = path.join(directory, GRAPH_FILE);
  const openMs = await middleOfOpenings(file);
  const stops = await stopsOfFeeds(directory);
  const target = await InProcessTarget.open(file);
  const workload = {
    router: 'default',
    pairs: randomPairs(stops, pairs, 1),
    stops,
    date,
    time: '8:30',
    settings: {},
  };
  const kinds = [];
  for (const kind of KINDS) {
    const requests = REQUEST_KINDS[kind]?.make(workload) ?? [];
    const series = await runSeries(target, kind, requests, 1, { warmUp: pairs, rounds: 1 });
    kinds.push({ kind, p50: series.p50, p95: series.p95 });
  }
  await target.close();
  return { openMs, kinds, peakBytes: peakBytes() };
}

async function middleOfOpenings(file: string): Promise<number> {
  const { Graph } = await loadAddon();
  const times: number[] = [];
  for (let i = 0; i < OPENINGS; i++) {
    const started = performance.now();
    const graph = await Graph.open(file);
    times.push(performance.now() - started);
    graph.dispose();
  }
  return percentile(Float64Array.from(times).sort(), 50);
}

function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}

const [what, directory = '', pairs = '100', date = ''] = process.argv.slice(2);
const measurements = what === 'build' ? await build(directory) : await ask(directory, Number(pairs), date);
process.stdout.write(JSON.stringify(measurements));
