/** Runs `trestle bench --peers`. */

import { spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { InProcessTarget } from '../../bench/in-process-target.js';
import type { Pair } from '../../bench/pairs.js';
import { comparePeers as compare, earliestArrival, type PeerAnswers, peersText } from '../../bench/peers.js';
import { REQUEST_KINDS } from '../../bench/request-kinds.js';
import { counted } from '../../counted.js';
import { requestedInstant } from '../../http/params/date-time.js';
import type { PlanOutcome } from '../../native/types.js';
import { GRAPH_FILE } from '../../registry/graph-file.js';
import { makeDirectory } from '../../storage/directory.js';
import { makeTemporary } from '../../storage/unfinished.js';
import { wallClock } from '../../zoned-time.js';
import { CommandFailure } from '../failure.js';
import { type BenchArguments, findPairs, findStops, settingsOf } from './bench-inputs.js';

const SCRIPTS = fileURLToPath(new URL('../../bench/peer-scripts', import.meta.url));
const PACKAGES = ['ferrobus', 'pynigiri'];

/** The other engines. */
const PEERS = [
  {
    name: 'ferrobus',
    script: 'ask_ferrobus.py',
    computes: 'one earliest arrival with geometry, ≤ 3 transfers, 50 nearest stops',
  },
  {
    name: 'nigiri',
    script: 'ask_nigiri.py',
    computes: 'arrival and transfers, ≤ 6, stops around both places given, no streets',
  },
];

/** Sends the same pairs to all engines, prints how long they take and whether they agree. */
export async function comparePeers(args: BenchArguments): Promise<void> {
  const directory = path.resolve(args.graphs, args.router);
  const scratch = path.resolve(args.scratch ?? (await makeTemporary()));
  try {
    await makeDirectory(scratch);
    const python = await environment(scratch);
    const pairs = await findPairs(args, args.pairs === undefined ? await findStops(args, undefined) : []);
    const { answers: ours, departure } = await askOurs(args, path.join(directory, GRAPH_FILE), pairs);
    const question = { ...(await inputs(directory)), ...departure, scratch, pairs: pairs.map(places) };
    const others: PeerAnswers[] = [];
    for (const { name, script, computes } of PEERS) {
      process.stderr.write(`asking ${name}\n`);
      const answer = await run(python, [path.join(SCRIPTS, script)], JSON.stringify(question));
      others.push({ name, computes, ...JSON.parse(answer) });
    }
    process.stdout.write(`${counted(pairs.length, 'pair')}, ${departure.date} ${args.time}, one at a time\n\n`);
    process.stdout.write(peersText(compare(ours, others)));
  } finally {
    if (args.scratch === undefined) await rm(scratch, { recursive: true, force: true });
  }
}

/** Installs the other engines; returns their interpreter. */
async function environment(scratch: string): Promise<string> {
  const folder = path.join(scratch, 'environment');
  const python = path.join(folder, 'bin', 'python');
  process.stderr.write(`installing ${PACKAGES.join(' and ')}\n`);
  await run('python3', ['-m', 'venv', folder]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]);
  return python;
}

/** Our own answers; the first of two rounds is a warm-up. */
async function askOurs(args: BenchArguments, file: string, pairs: readonly Pair[]) {
  const target = await InProcessTarget.open(file);
  try {
    const date = args.date ?? (await target.today());
    const epochSeconds = requestedInstant(date, args.time, { clocks: target.graph, nowMs: Date.now() });
    const { hour, minute, second } = wallClock(epochSeconds, target.graph);
    const workload = { router: args.router, pairs, stops: [], date, time: args.time, settings: settingsOf(args) };
    const requests = REQUEST_KINDS.plan?.make(workload) ?? [];
    const answers: PeerAnswers = {
      name: 'Trestle',
      computes: 'three itineraries with geometry, steps and fares, many criteria',
      loadSeconds: target.openMs / 1000,
      milliseconds: [],
      arrivals: [],
    };
    for (let round = 0; round < 2; round++) {
      const calls = requests.map((request) => target.prepare(request));
      answers.milliseconds = [];
      answers.arrivals = [];
      for (const call of calls) {
        const started = performance.now();
        const answer = await call();
        answers.milliseconds.push(performance.now() - started);
        answers.arrivals.push(earliestArrival(answer.value() as PlanOutcome | undefined, epochSeconds));
      }
    }
    return { answers, departure: { date, epochSeconds, secondsOfDay: hour * 3600 + minute * 60 + second } };
  } finally {
    await target.close();
  }
}

/** The files that all engines read. */
async function inputs(directory: string) {
  const files = (await readdir(directory)).sort().map((name) => path.join(directory, name));
  const streets = files.filter((file) => file.endsWith('.pbf'));
  if (streets.length !== 1) throw new CommandFailure(`${directory} should hold one .pbf file`);
  return { streets: streets[0], feeds: files.filter((file) => file.endsWith('.zip')) };
}

function places({ from, to }: Pair) {
  const place = (written: string) => written.split(',').map(Number);
  return { from: place(from), to: place(to) };
}

/** Runs a program with `input` and returns what it prints. */
async function run(program: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, args);
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  child.stdin.end(input);
  const [output, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new CommandFailure(`${program} ${args.join(' ')} failed:\n${complaints.slice(-2000)}`);
  return output;
}
