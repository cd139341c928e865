/** The server's settings as flags: one per setting, under the names that clients of the interface know. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { SERVER_SETTINGS, type ServerFlags } from '../config/server-config.js';
import type { ServerSettings } from '../config/server-settings.js';

/** Settings that only a configuration file can hold. */
const FILE_ONLY: ReadonlySet<string> = new Set(['users', 'tokens', 'geocoders', 'municipalities']);

/** Flags whose name is not that of their setting. */
const FLAG_OF: Partial<Record<keyof ServerSettings, string>> = { routers: 'router' };

/** Flags of the reference that have no effect here. */
const WITHOUT_EFFECT: ReadonlyArray<readonly [flags: string, description: string]> = [
  ['--disableFileCache', 'accepted; files of the client are never cached in memory'],
  ['--visualize', 'accepted; there is no desktop window'],
];

/** Adds every server flag to a command. */
export function addServerFlags(command: Command): Command {
  command.option('--basePath <dir>', 'directory that relative paths start from', '.');
  command.option('--config <file>', 'server settings; by default server-config.json in the base path');
  command.option('--verbose', 'log more');
  command.option('--script <file>', 'JavaScript file to run once the routers are loaded; its value is printed');
  for (const [name, { field, byDefault, summary }] of settings()) {
    if (FILE_ONLY.has(name)) continue;
    const flag = `--${FLAG_OF[name] ?? name}`;
    const shown = byDefault === undefined || field.kind === 'boolean' ? '' : ` (default: ${JSON.stringify(byDefault)})`;
    command.addOption(optionFor(flag, field.kind, summary + shown));
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

function optionFor(flag: string, kind: string, summary: string): Option {
  if (kind === 'boolean') return new Option(flag, summary);
  if (kind === 'number') return new Option(`${flag} <n>`, summary).argParser(wholeNumber);
  if (kind === 'list') return new Option(`${flag} <name>`, `${summary}; may be repeated`).argParser(collected);
  return new Option(`${flag} <text>`, summary);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function collected(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',')];
}

/** The sources of the settings, as far as the command line names them. */
export interface ServerArguments {
  flags: ServerFlags;
  basePath: string;
  configFile?: string;
  /** JavaScript file to run at the start. */
  script?: string;
}

/** Reads what commander parsed; flags that were not given are left to the other sources. */
export function serverArguments(command: Command): ServerArguments {
  const given = (name: string) => command.getOptionValueSource(name) === 'cli';
  const options = command.opts();
  const flags: Record<string, unknown> = {};
  for (const [name] of settings()) {
    const option = FLAG_OF[name] ?? name;
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
