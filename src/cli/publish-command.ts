/** `trestle publish`: uploads a graph to an object store, from which servers take it. */

import { Command } from 'commander';
import type { PublishArguments } from './run-publish.js';

export function publishCommand(): Command {
  return new Command('publish')
    .description('upload a graph to an object store and let its router serve it')
    .argument('<directory>', 'router directory with a built graph')
    .argument('<address>', 's3://bucket/prefix')
    .option('--router <id>', 'router that serves the graph (default: the name of the directory)')
    .option('--s3Endpoint <url>', "address of the object store, if it is not Amazon's")
    .option('--again', 'upload the graph and publish it even if the store has it')
    .option('--json', 'print the pointer and the manifest as JSON')
    .action(async (directory: string, address: string, args: PublishArguments) => {
      const { runPublish } = await import('./run-publish.js');
      await runPublish(directory, address, args);
    });
}
