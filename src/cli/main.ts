#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=1
import { createProgram, expandArgumentFiles } from './arguments.js';
import { exitCodeOf, messageOf } from './failure.js';
import { limitHeapGrowth } from './heap-growth.js';
import { toleratePartialOutput } from './partial-output.js';

// Stack traces in the log show the sources.
process.setSourceMapsEnabled(true);
limitHeapGrowth();
toleratePartialOutput();

try {
  await createProgram().parseAsync(expandArgumentFiles(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  console.error(`trestle: ${messageOf(error)}`);
  process.exitCode = exitCodeOf(error);
}
