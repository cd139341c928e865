/** The server's settings as flags: one per setting, under the names that clients of the interface know. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigError } from '../config/diagnostic.js';
import { type Field, read } from '../config/fields.js';
import { flagName, SERVER_SETTINGS, type ServerFlags } from '../config/server-config.js';
import type { ServerSettings } from '../config/server-settings.js';

/** Whether a setting is an object or a list of objects, which is too large for a flag. */
function isObject(field: Field): boolean {
  return field.kind === 'object' || field.kind === 'map' || (field.kind === 'list' && isObject(field.items));
}

/** Flags of the reference that have no effect here. */
const WITHOUT_EFFECT: ReadonlyArray<readonly [flags: string, description: string]> = [
  ['--disableFileCache', 'accepted; files of the client are never cached in memory'],
  ['--visualize', 'accepted; there is no desktop window'],
];

export function addServerFlags(command: Command): Command {
  command.option('--basePath <dir>', 'directory that relative paths start from', '.');
  command.option('--config <file>', 'server settings; by default server-config.json in the base path');
  command.option('--verbose', 'log more');
  command.option('--script <file>', 'JavaScript file to run once the routers are loaded; its value is printed');
  for (const [name, { field, byDefault, summary }] of settings()) {
    if (isObject(field)) continue;
    const shown = JSON.stringify(byDefault);
    const hidden = field.kind === 'boolean' || shown === undefined || shown === '[]';
    command.addOption(optionFor(flagName(name), field, hidden ? summary : `${summary} (default: ${shown})`));
  }
  command.option('--no-buildOnDemand', 'do not build routers that have inputs but no graph');
  for (const [flags, description] of WITHOUT_EFFECT) command.option(flags, description);
  return command;
}

function settings() {
  return Object.entries(SERVER_SETTINGS) as Array<
    [keyof ServerSettings, (typeof SERVER_SETTINGS)[keyof ServerSettings]]
  >;
}

function optionFor(flag: string, field: Field, summary: string): Option {
  switch (field.kind) {
    case 'boolean':
      return new Option(flag, summary);
    case 'number':
      return new Option(`${flag} <n>`, summary).argParser((text) => settingValue(field, text));
    case 'list':
      return new Option(`${flag} <name>`, `${summary}; may be repeated`).argParser(listed);
    default: {
      const option = new Option(`${flag} <text>`, summary);
      return field.kind === 'string' && field.oneOf !== undefined ? option.choices(field.oneOf) : option;
    }
  }
}

/** The option of a setting for a command that needs few of them. */
export function settingOption(name: keyof ServerSettings, summary: string): Option {
  return optionFor(flagName(name), SERVER_SETTINGS[name].field, summary);
}

/** Reads a flag by the rules for the same setting in the file and in the environment. */
function settingValue(field: Field, text: string): number {
  try {
    const place = { file: 'command line', key: '' };
    return read({ kind: 'scalar', value: text, place }, field, []) as number;
  } catch (error) {
    if (error instanceof ConfigError) throw new InvalidArgumentError(sentence(error.expected));
    throw error;
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** An empty name is not left out, because the router of the folder of graphs itself has none. */
function listed(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((name) => name.trim())];
}

/** The sources of the settings, as far as the command line names them. */
export interface ServerArguments {
  flags: ServerFlags;
  basePath: string;
  configFile?: string;
  /** JavaScript file to run at startup. */
  script?: string;
}

/** Reads what commander parsed; flags that were not given are left to the other sources. */
export function serverArguments(command: Command): ServerArguments {
  const given = (name: string) => command.getOptionValueSource(name) === 'cli';
  const options = command.opts();
  const flags: Record<string, unknown> = {};
  for (const [name] of settings()) {
    const option = flagName(name).slice(2);
    if (given(option)) flags[name] = options[option];
  }
  if (options.verbose && flags.logLevel === undefined) flags.logLevel = 'debug';
  return {
    flags: flags as ServerFlags,
    basePath: options.basePath,
    configFile: options.config,
    script: options.script,
  };
}
