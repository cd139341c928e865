/** `trestle build`: a directory of inputs becomes a graph. */

import { Command } from 'commander';

/** The command. */
export function buildCommand(): Command {
  return new Command('build')
    .description('build a graph from the OpenStreetMap, GTFS and elevation files of a directory')
    .argument('<directory>', 'inputs; non-recursive')
    .option('--output <file>', 'where the graph goes (default: Graph.obj in the directory)')
    .action(async (directory: string, { output }: { output?: string }) => {
      const { build } = await import('./run-build.js');
      await build(directory, output);
    });
}
