// The measured and calculated parts of docs/deploy/capacity.md.
import { readFile, writeFile } from 'node:fs/promises';
import {
  HOST,
  hostCapacity,
  hostsFor,
  largeMatrix,
  matrixSeconds,
  OVERLOAD,
  originCost,
  PRICES,
  simulatePoints,
  TOLERANCE,
} from './model.mjs';

export const DATA = new URL('../../docs/deploy/capacity.json', import.meta.url);
export const PAGE = new URL('../../docs/deploy/capacity.md', import.meta.url);

const RATES = [100, 1000, 10_000];
const HOUR_OF_CORES = 100;

const whole = (value) => Math.round(value).toLocaleString('en');
/** Two significant digits, and a whole number from 100 on. */
const short = (value) => (value >= 100 ? whole(value) : Number(value.toPrecision(2)).toString());
const percent = (share) => `${Math.round(share * 100)} %`;
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replaceAll('| ---', '|---')
    .replaceAll('--- |', '---|');

function setting({ date, machine, graph, memory }) {
  const gigabytes = (bytes) => `${short(bytes / 1e9)} GB`;
  return table(
    ['What', 'Value'],
    [
      ['date', date],
      [
        'machine',
        `${machine.processors} processors (${machine.model}), ${gigabytes(machine.memory)}; the clients run on it too`,
      ],
      ['graph', `a generated metropolis that stands for a country, ${gigabytes(graph.bytes)}`],
      [
        'memory of a server',
        `${gigabytes(memory.own)} of its own, ${gigabytes(memory.files)} of the graph and other files, which processes share`,
      ],
    ],
  );
}

function planCosts({ plan, refusal }) {
  return table(
    ['A plan', 'Milliseconds'],
    [
      ['time alone, on average', short(plan.milliseconds)],
      ['time alone, median and 95th percentile', `${short(plan.p50)}, ${short(plan.p95)}`],
      ['processor time of the server', short(plan.processorMs)],
      ['processor time of its first thread, which reads requests and writes answers', short(plan.firstThreadMs)],
      ['processor time of the client, on the same machine', short(plan.clientMs)],
      ['additional time with two at a time', percent(plan.slowdown)],
      ['a refused plan, processor time of the first thread', short(refusal.firstThreadMs)],
      ['a refused plan, processor time of the client', short(refusal.clientMs)],
    ],
  );
}

async function pointTable(data) {
  const rows = (await simulatePoints(data)).map(({ measured, simulated }) => {
    const both = (name) => `${short(measured[name])} · ${short(simulated[name])}`;
    const refused = `${percent(measured.refused)} · ${percent(simulated.refused)}`;
    const what = `${measured.servers} × ${measured.threads}`;
    return [what, short(measured.rate), both('perSecond'), both('p50'), both('p95'), refused];
  });
  return table(
    ['servers × threads', 'requests a second', 'answered a second', 'median, ms', '95th percentile, ms', 'refused'],
    rows,
  );
}

function tolerance() {
  return (
    `A test allows the simulation to differ by ${percent(TOLERANCE.perSecond)} in the rate of answers, ${TOLERANCE.refused * 100} percentage points in the share of refused requests, ` +
    `${percent(TOLERANCE.p50)} in the median and ${percent(TOLERANCE.p95)} in the 95th percentile. Where more than ${percent(OVERLOAD)} were refused, the times depend ` +
    'on how long the overload has lasted, so they are not compared.'
  );
}

function jobTable(data) {
  const { perOrigin, perDestination } = originCost(data);
  const { swap } = data;
  const last = data.jobs[2];
  return table(
    ['What', 'Figure'],
    [
      [
        'an origin of a matrix, with one processor',
        `${short(perOrigin * 1000)} ms, and ${short(perDestination * 1e6)} µs for each destination`,
      ],
      [
        `another matrix, of ${whole(last.origins)} origins and ${whole(last.destinations)} destinations`,
        `${short(last.seconds)} s measured, ${short(matrixSeconds(data, last))} s by these costs`,
      ],
      ['a row of the result', `${short(data.jobs[1].bytesPerPair)} bytes`],
      [
        'a swap of the graph under load',
        `${short(swap.seconds)} s; of ${whole(swap.sent)} plans ${percent(swap.refused)} were refused, 95th percentile ${short(swap.p95)} ms`,
      ],
    ],
  );
}

async function hostTable(data) {
  const { rate, processes } = await hostCapacity(data);
  const sentence =
    `A host of ${HOST.processors} processors and ${HOST.memoryGb} GB can answer ${whole(rate)} plans a second before the 95th percentile of the times is twice that of plans alone, ` +
    `with \`--workers ${processes}\`, so that no first thread is busy more than half of the time. Processors cost ${PRICES.processorHour} ${PRICES.currency} an hour here.`;
  const rows = RATES.map((asked) => {
    const { needed, spare, hosts, perMonth } = hostsFor(asked, rate);
    return [whole(asked), `${needed} + ${spare}`, whole(hosts * HOST.processors), whole(perMonth)];
  });
  return `${sentence}\n\n${table(['plans a second', 'hosts + spare', 'processors', `${PRICES.currency} a month`], rows)}`;
}

function pairTable(data) {
  const { processorHours, bytes, money } = largeMatrix(data, 1e6);
  return table(
    ['A million origins to a million destinations', 'Figure'],
    [
      ['processor hours', whole(processorHours)],
      [`with ${HOUR_OF_CORES} processors`, `${short(processorHours / HOUR_OF_CORES)} hours`],
      ['with 1,000 processors', `${short(processorHours / 1000)} hours`],
      [`${PRICES.currency} for processors`, whole(money)],
      [
        'result',
        `${short(bytes / 1e12)} TB, ${whole((bytes / 1e9) * PRICES.gigabyteMonth)} ${PRICES.currency} a month in an object store`,
      ],
    ],
  );
}

/** The page with the figures of `data`. */
export async function pageOf(text, data) {
  const parts = {
    setting: setting(data),
    plan: planCosts(data),
    points: await pointTable(data),
    tolerance: tolerance(),
    jobs: jobTable(data),
    hosts: await hostTable(data),
    pairs: pairTable(data),
  };
  return text.replaceAll(/(<!-- measured: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, begin, name, end) => {
    if (parts[name] === undefined) throw new Error(`nothing is measured as ${name}`);
    return `${begin}\n${parts[name]}\n\n${end}`;
  });
}

/** Writes the page again. */
export async function writePage() {
  const data = JSON.parse(await readFile(DATA, 'utf8'));
  await writeFile(PAGE, await pageOf(await readFile(PAGE, 'utf8'), data));
}
