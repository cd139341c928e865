/** `trestle check`: whether a router's directory can be served, without serving it. */

import { Command } from 'commander';

/** The command; exits with 0 when nothing is wrong, apart from warnings. */
export function checkCommand(): Command {
  return new Command('check')
    .description('check the configuration, inputs and graph of a router directory')
    .argument('<directory>', 'for example graphs/default')
    .action(async (directory: string) => {
      const { check } = await import('./run-check.js');
      await check(directory);
    });
}
