/**
 * `help` of a command that has commands. Commander's own takes one name only, and says nothing about one that it does not
 * know.
 */

import { Command } from 'commander';
import { suggest } from '../suggestion.js';
import { CommandFailure, EXIT } from './failure.js';

/** Adds the command, which prints the help of another command. */
export function addHelp(program: Command): Command {
  const help = new Command('help')
    .description('display help for command')
    .argument('[command...]')
    .helpOption(false)
    .action((names: string[]) => names.reduce(commandOf, program).outputHelp());
  return program.helpCommand(false).addCommand(help);
}

function commandOf(program: Command, name: string): Command {
  const named = program.commands.find((command) => command.name() === name);
  if (named === undefined) throw unknownCommand(name, program);
  return named;
}

/** The failure of a command that does not exist, with the name that was probably meant. */
export function unknownCommand(name: string, program: Command): CommandFailure {
  const close = suggest(
    name,
    program.commands.map((command) => command.name()),
  );
  const hint = close === undefined ? `see \`${fullName(program)} --help\`` : `did you mean ${close}?`;
  return new CommandFailure(`there is no command ${name}; ${hint}`, EXIT.usage);
}

/** The name as it is typed, after those of the commands around it. */
function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
