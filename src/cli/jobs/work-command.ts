/** `trestle work`: computes parts of the jobs in a queue. */

import { Command } from 'commander';
import { settingOption } from '../server-flags.js';
import { atQueue } from './job-command.js';
import type { WorkArguments } from './run-work.js';

export function workCommand(): Command {
  return atQueue(new Command('work'))
    .description('compute parts of the jobs in a queue, together with any number of other workers')
    .option('--graphs <place>', 'directory of graphs, or s3://bucket/prefix with published ones')
    .option('--cache <dir>', 'directory that keeps published graphs')
    .addOption(settingOption('maxThreads', 'parts at once, 0 for the number of processors'))
    .addOption(settingOption('port', 'HTTP port for health and metrics; none unless given'))
    .option('--bindAddress <address>', 'address to listen on')
    .addOption(settingOption('logLevel', 'lowest level that is logged'))
    .action(async (args: WorkArguments) => {
      const { work } = await import('./run-work.js');
      await work(args);
    });
}
