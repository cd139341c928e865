// What follows from the measured costs: simulations of the measured points, and the hosts that larger loads need.
import { average } from './report.mjs';
import { simulate } from './simulate.mjs';

/** On-demand prices of a cloud: a processor for an hour, and a gigabyte in the object store for a month. */
export const PRICES = { processorHour: 0.045, gigabyteMonth: 0.023, currency: 'US dollars' };
export const HOURS_A_MONTH = 730;

/** The kind of host that the model assumes. */
export const HOST = { processors: 16, memoryGb: 32 };

/** A host is full when the 95th percentile of the times is this many times that of plans alone. */
const MOST_P95 = 2;

/** Share of its time that the first thread of a process may be busy, so that requests do not wait to be read. */
const FIRST_THREAD = 0.5;

/** By how much a simulated point may differ from the measured one. */
export const TOLERANCE = { perSecond: 0.08, p50: 0.3, p95: 0.4, refused: 0.08 };

/** Where a larger share is refused, times are not compared, because they depend on how long the overload has lasted. */
export const OVERLOAD = 0.02;

/** Seeds of the times at which requests arrive, one for each run at a rate. */
export const SEEDS = [1, 2, 3];

/** The median of each figure over some runs. */
export function figuresOf(runs) {
  const median = (name) => runs.map((run) => run[name]).sort((a, b) => a - b)[runs.length >> 1];
  return Object.fromEntries(Object.keys(TOLERANCE).map((name) => [name, median(name)]));
}

/**
 * The costs of a plan in the simulation, on a machine that takes `pace` times the measured times, with the clients on
 * the same machine or elsewhere.
 */
function costsOf({ plan, refusal }, { pace = 1, isClientHere }) {
  const withoutSearch = plan.firstThreadMs + plan.clientMs;
  const here = isClientHere ? pace : 0;
  return {
    searches: plan.times.map((time) => pace * Math.max(0, time - withoutSearch)),
    slowdown: plan.slowdown,
    firstThread: { answered: pace * plan.firstThreadMs, refused: pace * refusal.firstThreadMs },
    client: { answered: here * plan.clientMs, refused: here * refusal.clientMs },
  };
}

/** The measured points, each with the simulated one and whether that is near enough. */
export async function simulatePoints(data) {
  const compared = [];
  for (const measured of data.points) {
    const { servers, threads, rate, runs } = measured;
    const simulatedRuns = [];
    for (const [i, { sent, pace }] of runs.entries()) {
      const costs = costsOf(data, { pace, isClientHere: true });
      const load = { servers, threads, processors: data.machine.processors, rate, requests: sent, costs };
      simulatedRuns.push(await simulate({ ...load, seed: SEEDS[i] }));
    }
    const simulated = figuresOf(simulatedRuns);
    compared.push({ measured, simulated, isNear: isNear(measured, simulated) });
  }
  return compared;
}

function isNear(measured, simulated) {
  const near = (name) => Math.abs(simulated[name] - measured[name]) <= TOLERANCE[name] * measured[name];
  if (Math.abs(simulated.refused - measured.refused) > TOLERANCE.refused) return false;
  return near('perSecond') && (measured.refused > OVERLOAD || (near('p50') && near('p95')));
}

/** Plans a second that a host can answer before it is full, and the processes that it needs for them. */
export async function hostCapacity(data) {
  const { plan } = data;
  const { processors } = HOST;
  const costs = costsOf(data, { isClientHere: false });
  const each = plan.firstThreadMs + average(costs.searches) * (1 + plan.slowdown);
  let full = { rate: 0, processes: 1 };
  for (let share = 0.5; share < 1; share += 0.025) {
    const rate = (share * processors * 1000) / each;
    const processes = Math.ceil((rate * plan.firstThreadMs) / 1000 / FIRST_THREAD);
    const threads = Math.floor(processors / processes);
    const { p95, refused } = await simulate({ servers: processes, threads, processors, rate, requests: 6000, costs });
    if (p95 > MOST_P95 * plan.p95 || refused > 0.001) break;
    full = { rate, processes };
  }
  return full;
}

/** Hosts for a rate: those that it needs, and spare ones for failures and upgrades. */
export function hostsFor(rate, perHost) {
  const needed = Math.ceil(rate / perHost);
  const spare = Math.max(1, Math.ceil(needed / 10));
  const hosts = needed + spare;
  return { needed, spare, hosts, perMonth: hosts * HOST.processors * PRICES.processorHour * HOURS_A_MONTH };
}

/** Processor seconds of an origin alone, and of each destination, from the first two measured matrices. */
export function originCost({ jobs, machine }) {
  const [few, many] = jobs;
  const each = ({ seconds, origins }) => (seconds * machine.processors) / origins;
  const perDestination = (each(many) - each(few)) / (many.destinations - few.destinations);
  return { perOrigin: each(few) - perDestination * few.destinations, perDestination };
}

/** Seconds that a matrix takes on the measured machine, by the model. */
export function matrixSeconds(data, { origins, destinations }) {
  const { perOrigin, perDestination } = originCost(data);
  return (origins * (perOrigin + perDestination * destinations)) / data.machine.processors;
}

/** The matrix of all pairs of `places` origins and as many destinations. */
export function largeMatrix(data, places) {
  const { perOrigin, perDestination } = originCost(data);
  const processorHours = (places * (perOrigin + perDestination * places)) / 3600;
  const bytes = places * places * data.jobs[1].bytesPerPair;
  return { processorHours, bytes, money: processorHours * PRICES.processorHour };
}
