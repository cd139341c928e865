/** Runs `trestle plan`. */

import { BadParameter } from '../../http/params/bad-parameter.js';
import { parseTime } from '../../http/params/date-time.js';
import { PLAN } from '../../http/params/descriptions.js';
import { parsePlace } from '../../http/params/place.js';
import { withPlanLimits } from '../../http/params/plan-limits.js';
import { Query } from '../../http/params/query.js';
import { requestNow } from '../../http/params/routing-request.js';
import { graphInfo } from '../../native/graph-info.js';
import type { Graph, PlanOutcome } from '../../native/types.js';
import { presentPlanAnswer } from '../../serialization/plan-response.js';
import { didYouMean } from '../../suggestion.js';
import { type Clocks, dateOf } from '../../zoned-time.js';
import { CommandFailure, EXIT } from '../failure.js';
import { configIn, openGraph, type SearchArguments } from '../graph-argument.js';
import { assignment } from '../option-values.js';
import { serviceDays } from '../service-days.js';
import { itinerariesText } from './itinerary-text.js';

/** The options of the command. */
export interface PlanArguments extends SearchArguments {
  from: string;
  to: string;
  via: string[];
  arriveBy?: boolean;
  itineraries?: string;
  set: string[];
  json?: boolean;
}

/** Searches, and prints the itineraries, or why there are none. */
export async function plan(args: PlanArguments): Promise<void> {
  const { graph, close } = await openGraph(args.graph, args.scenario);
  try {
    const query = new Query(planQuery(args, graph, Date.now() / 1000));
    const outcome = await graph.plan(readRequest(query, graph));
    if (args.json) {
      const echo = { parameters: query.firstValues(), geoidElevation: false };
      console.log(JSON.stringify(presentPlanAnswer(echo, outcome), undefined, 1));
    } else if (outcome.plan) {
      process.stdout.write(itinerariesText(outcome.plan, graph));
    }
    if (outcome.error) throw new CommandFailure(errorText(outcome.error, graph, args));
  } finally {
    close();
  }
}

function errorText(
  { code, reason, missing }: NonNullable<PlanOutcome['error']>,
  graph: Graph,
  { from, to }: PlanArguments,
): string {
  const ends = Object.entries({ from, to }).filter(([end]) => missing.includes(end));
  const [name] = ends.filter(([, place]) => parsePlace(place).lat === undefined);
  if (name) {
    const wanted = 'a coordinate such as 48.0056,15.0306, or the id of a stop';
    return `${code}: --${name[0]} ${name[1]}: expected ${wanted} in the graph`;
  }
  if (ends.length > 0) return `${code}: ${reason}; see ${ends.map(([end]) => `--${end}`).join(' and ')}`;
  const days = code === 'NO_TRANSIT_TIMES' ? serviceDays(graphInfo(graph), graph) : undefined;
  return `${code}: ${reason}${days === undefined ? '' : ` (${days}); see --date`}`;
}

/** The request in the form that clients of the interface send. A time without a date is a time today, by `clocks`. */
export function planQuery(args: PlanArguments, clocks: Clocks, nowSeconds: number): string {
  const query = new URLSearchParams({ fromPlace: args.from, toPlace: args.to });
  for (const place of args.via) query.append('intermediatePlaces', place);
  const optional = { date: args.date, time: args.time, mode: args.mode, numItineraries: args.itineraries };
  for (const [name, value] of Object.entries(optional)) if (value !== undefined) query.set(name, value);
  // Without a date, the interface requires an ISO time; with one, it would take such a time for now.
  const isTimeOfDay = args.time !== undefined && parseTime(args.time) !== undefined;
  if (isTimeOfDay && args.date === undefined) query.set('date', dateOf(nowSeconds, clocks));
  if (args.time !== undefined && !isTimeOfDay && args.date !== undefined) {
    throw new CommandFailure(`--time ${args.time}: with --date it has to be a time of day`, EXIT.usage);
  }
  if (args.arriveBy) query.set('arriveBy', 'true');
  for (const text of args.set) query.append(...knownParameter(text));
  return query.toString();
}

function knownParameter(text: string): [name: string, value: string] {
  const [name, value] = assignment('--set', text);
  if (Object.hasOwn(PLAN, name)) return [name, value];
  const hint = didYouMean(name, Object.keys(PLAN));
  throw new CommandFailure(`--set ${text}: there is no parameter ${name}${hint}`, EXIT.usage);
}

function readRequest(query: Query, graph: Graph) {
  try {
    return withPlanLimits(requestNow(query, graph, configIn(graph)));
  } catch (error) {
    if (error instanceof BadParameter) throw new CommandFailure(error.message.trimEnd(), EXIT.usage);
    throw error;
  }
}
