// What follows from the measured costs: points that the simulation repeats, and hosts for larger loads.
import { average } from './report.mjs';
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

/** Where a larger share is refused, times are not compared: they say how long the overload has lasted. */
export const OVERLOAD = 0.02;

/** Seeds of the moments at which requests come, of each run at a rate. */
export const SEEDS = [1, 2, 3];

/** Figures of some runs: of each the middle one. */
export function figuresOf(runs) {
  const middle = (name) => runs.map((run) => run[name]).sort((a, b) => a - b)[runs.length >> 1];
  return Object.fromEntries(Object.keys(TOLERANCE).map((name) => [name, middle(name)]));
}

/**
 * What a plan costs the simulation on a machine that needs `pace` times the measured times, with the clients on the
 * same machine or elsewhere.
 */
function costsOf({ plan, refusal }, { pace = 1, isClientHere }) {
  const beside = plan.firstThreadMs + plan.clientMs;
  const here = isClientHere ? pace : 0;
  return {
    searches: plan.times.map((time) => pace * Math.max(0, time - beside)),
    slowdown: plan.slowdown,
    firstThread: { answered: pace * plan.firstThreadMs, refused: pace * refusal.firstThreadMs },
    client: { answered: here * plan.clientMs, refused: here * refusal.clientMs },
  };
}

/** The measured points, each with what the simulation says, and whether that is near enough. */
export async function repeatPoints(data) {
  const repeated = [];
  for (const measured of data.points) {
    const { servers, threads, rate, runs } = measured;
    const simulated = [];
    for (const [i, { sent, pace }] of runs.entries()) {
      const costs = costsOf(data, { pace, isClientHere: true });
      const load = { servers, threads, processors: data.machine.processors, rate, requests: sent, costs };
      simulated.push(await simulate({ ...load, seed: SEEDS[i] }));
    }
    const said = figuresOf(simulated);
    repeated.push({ measured, said, isNear: isNear(measured, said) });
  }
  return repeated;
}

function isNear(measured, said) {
  const near = (name) => Math.abs(said[name] - measured[name]) <= TOLERANCE[name] * measured[name];
  if (Math.abs(said.refused - measured.refused) > TOLERANCE.refused) return false;
  return near('perSecond') && (measured.refused > OVERLOAD || (near('p50') && near('p95')));
}

/** Plans a second that a host does before it is full, and the processes that it needs for them. */
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
