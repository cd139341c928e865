// What follows from the measured costs: points that the simulation repeats, and hosts for larger loads.
import { simulate } from './simulate.mjs';

/** What a cloud asks for a processor and an hour, without a contract, and for a gigabyte and a month in its store. */
export const PRICES = { processorHour: 0.045, gigabyteMonth: 0.023, currency: 'US dollars' };
export const HOURS_A_MONTH = 730;

/** The host that the model counts in. */
export const HOST = { processors: 16, memoryGb: 32 };

/** A host is full when 95 of 100 plans take this many times what they take alone. */
const MOST_P95 = 2;

/** Share of its time that the first thread of a process may be busy, so that requests do not wait to be read. */
const FIRST_THREAD = 0.5;

/** How far a simulated point may be from the measured one. */
export const TOLERANCE = { perSecond: 0.08, p50: 0.3, p95: 0.4, refused: 0.08 };

/** Seeds of the moments at which requests come, of each run at a rate. */
export const SEEDS = [1, 2, 3];

/** Figures of some runs: the middle one of what was answered and refused, and the least times, because what else a machine does only makes it slower. */
export function figuresOf(runs) {
  const sorted = (name) => runs.map((run) => run[name]).sort((a, b) => a - b);
  const middle = (name) => sorted(name)[runs.length >> 1];
  return { perSecond: middle('perSecond'), p50: sorted('p50')[0], p95: sorted('p95')[0], refused: middle('refused') };
}

/** Repeats the measured points; each with what was measured, what the simulation says, and whether it is near enough. */
export async function repeatPoints({ plan, points, machine: { processors } }) {
  const repeated = [];
  for (const measured of points) {
    const { servers, threads, rate, sent } = measured;
    const { service, slowdown } = plan;
    const outside = plan.firstThreadMs + plan.clientMs;
    const runs = [];
    for (const [i, seed] of SEEDS.entries()) {
      runs.push(
        await simulate({ servers, threads, processors, rate, requests: sent[i], service, slowdown, outside, seed }),
      );
    }
    const said = figuresOf(runs);
    repeated.push({ measured, said, isNear: isNear(measured, said) });
  }
  return repeated;
}

/** In an overload the few that are served say little of times, and much of how many. */
function isNear(measured, said) {
  const near = (name) => Math.abs(said[name] - measured[name]) <= TOLERANCE[name] * measured[name];
  if (Math.abs(said.refused - measured.refused) > TOLERANCE.refused) return false;
  return near('perSecond') && (measured.refused > 0.02 || (near('p50') && near('p95')));
}

/** Plans a second that a host does before it is full, and the processes that it needs for them. */
export async function hostCapacity({ plan }) {
  const { processors } = HOST;
  const { slowdown, firstThreadMs: outside, clientMs } = plan;
  // The clients are elsewhere.
  const service = plan.service.map((time) => Math.max(outside, time - clientMs));
  const most = (processors / ((plan.milliseconds - clientMs) * (1 + slowdown))) * 1000;
  let rate = 0;
  for (let share = 0.5; share < 1; share += 0.025) {
    const load = { servers: 1, threads: processors, processors, rate: share * most, requests: 6000 };
    const { p95, refused } = await simulate({ ...load, service, slowdown, outside });
    if (p95 > MOST_P95 * plan.p95 || refused > 0.001) break;
    rate = share * most;
  }
  const processes = Math.max(1, Math.ceil((rate * outside) / 1000 / FIRST_THREAD));
  return { rate, processes };
}

/** Hosts for a rate: what it takes, and spare ones for failures and upgrades. */
export function hostsFor(rate, perHost) {
  const needed = Math.ceil(rate / perHost);
  const spare = Math.max(1, Math.ceil(needed / 10));
  const hosts = needed + spare;
  return { needed, spare, hosts, perMonth: hosts * HOST.processors * PRICES.processorHour * HOURS_A_MONTH };
}

/** Processor seconds of an origin, without destinations and for each of them, from the first two measured matrices. */
export function originCost({ jobs, machine }) {
  const [few, many] = jobs;
  const each = ({ seconds, origins }) => (seconds * machine.processors) / origins;
  const perDestination = (each(many) - each(few)) / (many.destinations - few.destinations);
  return { perOrigin: each(few) - perDestination * few.destinations, perDestination };
}

/** Seconds that the model says for a matrix on the measured machine. */
export function matrixSeconds(data, { origins, destinations }) {
  const { perOrigin, perDestination } = originCost(data);
  return (origins * (perOrigin + perDestination * destinations)) / data.machine.processors;
}

/** All pairs of as many origins and destinations. */
export function largeMatrix(data, places) {
  const { perOrigin, perDestination } = originCost(data);
  const processorHours = (places * (perOrigin + perDestination * places)) / 3600;
  const bytes = places * places * data.jobs[1].bytesPerPair;
  return { processorHours, bytes, money: processorHours * PRICES.processorHour };
}
