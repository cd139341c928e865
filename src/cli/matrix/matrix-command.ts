/** `trestle matrix`: travel times from many places to many places, as CSV or Arrow. */

import path from 'node:path';
import { Command, Option } from 'commander';
import { SCENARIO_HELP } from '../graph-argument.js';
import { timeOfDay } from '../option-values.js';
import type { MatrixArguments } from './run-matrix.js';

export function matrixCommand(): Command {
  return new Command('matrix')
    .description('travel times in seconds from every origin to every destination')
    .argument('<origins>', 'CSV file with the columns lat and lon, and optionally id')
    .argument('<destinations>', 'CSV file with the columns lat and lon, and optionally id')
    .option('--graph <file>', 'graph file or the directory of one', path.join('graphs', 'default'))
    .option('--scenario <name>', SCENARIO_HELP)
    .option('-o, --output <file>', 'file of the times', 'matrix.csv')
    .addOption(
      new Option('--format <format>', 'csv: a line per origin; arrow: an Arrow IPC stream with a row per pair')
        .choices(['csv', 'arrow'])
        .default(undefined, 'by the name of the output: arrow for .arrow and .arrows'),
    )
    .option('--date <date>', 'for example 2026-11-23 (default: today)')
    .option('--time <time>', 'for example 8:15', timeOfDay, '8:00')
    .option('--mode <modes>', 'for example TRANSIT,WALK or BICYCLE')
    .option(
      '--maxWalkDistance <metres>',
      'longest walk to the first stop, from the last stop, or to the destination without transit',
      '2000',
    )
    .option('--maxTime <seconds>', 'longest time', '7200')
    .option('--resume', 'continue the output of an interrupted run')
    .action(async (origins: string, destinations: string, args: MatrixArguments) => {
      const { matrix } = await import('./run-matrix.js');
      await matrix(origins, destinations, args);
    });
}
