/** `trestle plan`: one request from the terminal, answered without a server. */

import path from 'node:path';
import { Command } from 'commander';
import { SCENARIO_HELP } from '../graph-argument.js';
import { collected, timeOrInstant } from '../option-values.js';
import type { PlanArguments } from './run-plan.js';

/** The command; `--set` takes any other parameter of the interface. */
export function planCommand(): Command {
  return new Command('plan')
    .description('plan a trip and print its itineraries')
    .requiredOption('--from <place>', 'lat,lon or feed:stop, optionally after `name::`')
    .requiredOption('--to <place>', 'in the form of --from')
    .option('--via <place>', 'place to pass; may be repeated', collected, [])
    .option('--date <date>', 'for example 2026-11-23 (default: today)')
    .option('--time <time>', 'for example 8:15 or 5:05pm (default: now)', timeOrInstant)
    .option('--arriveBy', 'arrive by the date and time, instead of departing then')
    .option('--mode <modes>', 'for example TRANSIT,WALK or BICYCLE')
    .option('-n, --itineraries <count>', 'largest number of itineraries')
    .option('--set <name=value>', 'any other request parameter; may be repeated', collected, [])
    .option('--graph <file>', 'graph file or the directory of one', path.join('graphs', 'default'))
    .option('--scenario <name>', SCENARIO_HELP)
    .option('--json', 'print the answer as the server would send it')
    .action(async (args: PlanArguments) => {
      const { plan } = await import('./run-plan.js');
      await plan(args);
    });
}
