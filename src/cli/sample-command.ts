/** `trestle sample`: puts the sample town somewhere as inputs of a build. */

import path from 'node:path';
import { Command } from 'commander';

/** The command. */
export function sampleCommand(): Command {
  return new Command('sample')
    .description('copy the sample town (streets, timetables, elevation, point set) as inputs of a build')
    .argument('<directory>', 'where the files go')
    .option('--pointSets <directory>', 'where the point set goes (default: pointsets in the directory)')
    .action(async (directory: string, options: { pointSets?: string }) => {
      const { copySample } = await import('./sample-town.js');
      const files = await copySample(directory, options.pointSets ?? path.join(directory, 'pointsets'));
      for (const file of files) console.log(file);
    });
}
