/** The command line: sub-commands, and the flags of the reference on `trestle` without one. */

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { PRODUCT } from '../product.js';
import { benchCommand } from './bench/bench-command.js';
import { buildCommand } from './build/build-command.js';
import { checkCommand } from './check-command.js';
import { runDefaultCommand } from './default-command.js';
import { hashPasswordCommand } from './hash-password-command.js';
import { addHelp } from './help-command.js';
import { jobCommand } from './jobs/job-command.js';
import { workCommand } from './jobs/work-command.js';
import { matrixCommand } from './matrix/matrix-command.js';
import { withName } from './named-file.js';
import { planCommand } from './plan/plan-command.js';
import { publishCommand } from './publish-command.js';
import { sampleCommand } from './sample-command.js';
import { serveCommand } from './serve/serve-command.js';
import { addServerFlags } from './server-flags.js';

/** The whole command line; parsing it runs a command. */
export function createProgram(): Command {
  const program = new Command('trestle')
    .description('Trip planning and transit analysis server')
    .version(PRODUCT.version, '--version')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    // The action reports an unknown command better than a count of arguments would.
    .allowExcessArguments(true)
    .option('--build <dir>', 'build a graph from the inputs in a directory')
    .option('--inMemory', 'serve the built graph without keeping it')
    .option('--preFlight', 'keep the built graph and serve it')
    .option('--server', 'answer requests');
  addServerFlags(program).action(() => runDefaultCommand(program));
  const commands = [
    serveCommand,
    buildCommand,
    planCommand,
    matrixCommand,
    jobCommand,
    workCommand,
    checkCommand,
    publishCommand,
    sampleCommand,
    benchCommand,
    hashPasswordCommand,
  ];
  for (const command of commands) program.addCommand(command());
  nameProgramInErrors(program);
  return addHelp(program);
}

/** Lets messages about wrong arguments begin as all other messages do. */
function nameProgramInErrors(command: Command): void {
  const begin = (text: string) => text.replace(/^error: /, 'trestle: ');
  command.configureOutput({ outputError: (text, write) => write(begin(text)) });
  for (const one of command.commands) nameProgramInErrors(one);
}

/** Replaces each `@file` by the arguments in that file, one or more per line. */
export function expandArgumentFiles(args: readonly string[]): string[] {
  return args.flatMap((arg) => {
    if (!arg.startsWith('@') || arg.length === 1) return [arg];
    return readArguments(arg.slice(1)).filter((word) => word !== '');
  });
}

function readArguments(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\s+/);
  } catch (error) {
    throw withName(file, error);
  }
}
