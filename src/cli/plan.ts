/** `trestle plan`: one request from the terminal, answered without a server. */

import path from 'node:path';
import { Command } from 'commander';
import { EMPTY_ROUTER_CONFIG, parseRouterConfig } from '../config/router-config.js';
import { BadParameter } from '../http/params/bad-parameter.js';
import { withPlanLimits } from '../http/params/plan-limits.js';
import { Query } from '../http/params/query.js';
import { routerDefaults } from '../http/params/router-defaults.js';
import { routingRequest } from '../http/params/routing-request.js';
import { graphInfo } from '../native/graph-info.js';
import type { Graph } from '../native/types.js';
import { presentPlanAnswer } from '../serialization/plan.js';
import { CommandFailure, EXIT } from './failure.js';
import { openGraph, SCENARIO_HELP } from './graph-argument.js';
import { itinerariesText } from './itinerary-text.js';

interface PlanArguments {
  from: string;
  to: string;
  via: string[];
  date?: string;
  time?: string;
  arriveBy?: boolean;
  mode?: string;
  itineraries?: string;
  set: string[];
  graph: string;
  scenario?: string;
  json?: boolean;
}

/** The command; `--set` takes any other parameter of the interface. */
export function planCommand(): Command {
  const collect = (text: string, before: string[]) => [...before, text];
  return new Command('plan')
    .description('plan a trip and print its itineraries')
    .requiredOption('--from <place>', 'lat,lon or feed:stop, optionally after `name::`')
    .requiredOption('--to <place>', 'as --from')
    .option('--via <place>', 'place to pass; may be repeated', collect, [])
    .option('--date <date>', 'for example 2026-11-23 (default: today)')
    .option('--time <time>', 'for example 8:15 or 5:05pm (default: now)')
    .option('--arriveBy', 'date and time are the latest arrival')
    .option('--mode <modes>', 'for example TRANSIT,WALK or BICYCLE')
    .option('-n, --itineraries <count>', 'largest number of itineraries')
    .option('--set <name=value>', 'any other request parameter; may be repeated', collect, [])
    .option('--graph <file>', 'graph file or the directory of one', path.join('graphs', 'default'))
    .option('--scenario <name>', SCENARIO_HELP)
    .option('--json', 'print the answer as the server would send it')
    .action(plan);
}

async function plan(args: PlanArguments): Promise<void> {
  const query = new Query(queryString(args));
  const { graph, close } = await openGraph(args.graph, args.scenario);
  try {
    const outcome = await graph.plan(readRequest(query, graph));
    if (args.json) {
      const echo = { parameters: query.firstValues(), geoidElevation: false };
      console.log(JSON.stringify(presentPlanAnswer(echo, outcome), undefined, 1));
    } else if (outcome.plan) {
      process.stdout.write(itinerariesText(outcome.plan, graphInfo(graph).timeZone));
    }
    if (outcome.error) throw new CommandFailure(`${outcome.error.code}: ${outcome.error.reason}`);
  } finally {
    close();
  }
}

function queryString(args: PlanArguments): string {
  const query = new URLSearchParams({ fromPlace: args.from, toPlace: args.to });
  for (const place of args.via) query.append('intermediatePlaces', place);
  const optional = { date: args.date, time: args.time, mode: args.mode, numItineraries: args.itineraries };
  for (const [name, value] of Object.entries(optional)) if (value !== undefined) query.set(name, value);
  // Without a date the interface wants an ISO time; on the terminal it is a time of today.
  if (args.time !== undefined && args.date === undefined && !args.time.includes('-')) {
    query.set('date', new Date().toISOString().slice(0, 10));
  }
  if (args.arriveBy) query.set('arriveBy', 'true');
  for (const assignment of args.set) {
    const at = assignment.indexOf('=');
    if (at < 1) throw new CommandFailure(`--set ${assignment}: expected name=value`, EXIT.usage);
    query.append(assignment.slice(0, at), assignment.slice(at + 1));
  }
  return query.toString();
}

function readRequest(query: Query, graph: Graph) {
  const { timeZone, routerConfig } = graphInfo(graph);
  const config = routerConfig
    ? parseRouterConfig(routerConfig, 'router-config.json in the graph').config
    : EMPTY_ROUTER_CONFIG;
  try {
    return withPlanLimits(routingRequest(query, { timeZone, nowMs: Date.now(), defaults: routerDefaults(config) }));
  } catch (error) {
    if (error instanceof BadParameter) throw new CommandFailure(error.message.trimEnd(), EXIT.usage);
    throw error;
  }
}
