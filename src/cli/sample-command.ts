/** `trestle sample`: copies the sample town into a directory, as inputs of a build. */

import path from 'node:path';
import { Command } from 'commander';
import { CommandFailure, EXIT } from './failure.js';

export function sampleCommand(): Command {
  return new Command('sample')
    .description('copy the sample town (streets, timetables, elevation, point set) as inputs of a build')
    .argument('<directory>', 'directory for the files')
    .option('--pointSets <directory>', 'directory for the point set (default: pointsets in the directory)')
    .action(async (directory: string, options: { pointSets?: string }) => {
      const { copySample, inputsOfOthers } = await import('./sample-town.js');
      const [other] = await inputsOfOthers(directory);
      if (other !== undefined) {
        throw new CommandFailure(`${directory} has other inputs of a build, such as ${other}`, EXIT.usage);
      }
      const copied = copySample(directory, options.pointSets ?? path.join(directory, 'pointsets'));
      const files = await copied.catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST' && error.code !== 'ENOTDIR') throw error;
        throw new CommandFailure(`${error.path} is not a directory`, EXIT.usage);
      });
      for (const file of files) console.log(file);
    });
}
