/** `trestle build`: a directory of inputs becomes a graph. */

import { Command } from 'commander';

export function buildCommand(): Command {
  return new Command('build')
    .description('build a graph from the OpenStreetMap, GTFS and elevation files of a directory')
    .argument('<directory>', 'directory with the inputs, without its sub-directories')
    .option('--output <file>', 'file of the graph (default: Graph.obj in the directory)')
    .action(async (directory: string, { output }: { output?: string }) => {
      const { build } = await import('./run-build.js');
      await build(directory, output);
    });
}
