#!/usr/bin/env node
import { createProgram, expandArgumentFiles } from './arguments.js';
import { exitCodeOf, messageOf } from './failure.js';

try {
  await createProgram().parseAsync(expandArgumentFiles(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  console.error(`trestle: ${messageOf(error)}`);
  process.exitCode = exitCodeOf(error);
}
