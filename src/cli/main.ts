#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=1
import { createProgram, expandArgumentFiles } from './arguments.js';
import { exitCodeOf, messageOf } from './failure.js';
import { limitHeapGrowth } from './heap-growth.js';

// Stack traces in the log show the sources.
process.setSourceMapsEnabled(true);
limitHeapGrowth();
// The reader of the output may have stopped reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await createProgram().parseAsync(expandArgumentFiles(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  console.error(`trestle: ${messageOf(error)}`);
  process.exitCode = exitCodeOf(error);
}
