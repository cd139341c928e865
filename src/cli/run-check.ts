/** Runs `trestle check`. */

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseBuildConfig } from '../config/build-config.js';
import { ConfigError, type ConfigWarning, formatWarning } from '../config/diagnostic.js';
import { parseRouterConfig } from '../config/router-config.js';
import { type FoundSettings, resolveServerConfig } from '../config/server-config.js';
import { openChecked } from '../native/addon.js';
import { describeInput } from '../registry/input-check.js';
import { inputKind } from '../registry/inputs.js';
import { requireRegularFile } from '../registry/regular-file.js';
import { contentsText } from './contents-text.js';
import { CommandFailure, EXIT, exitCodeOf, messageOf } from './failure.js';
import { readCertificate } from './serve/certificate.js';
import { checkNamedFiles, readAt } from './serve/check-named-files.js';

/** Settings of a server; their directory need not be that of a router. */
const SERVER_CONFIG = 'server-config.json';

/** Prints a line on each file of a directory. Throws when one of them cannot be used. */
export async function check(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => {
    throw new CommandFailure(`${directory} is not a directory`, EXIT.usage);
  });
  const codes: number[] = [];
  for (const name of names.sort()) {
    const file = path.join(directory, name);
    try {
      const line = await describe(name, file);
      if (line !== undefined) console.log(`${name}: ${line}`);
    } catch (error) {
      codes.push(exitCode(name, error));
      // Errors of settings begin with the file.
      console.log(error instanceof ConfigError ? error.message : `${name}: ${messageOf(error)}`);
    }
  }
  const isRouter = names.some((name) => ['graph', 'streets', 'transit'].includes(inputKind(name)));
  if (!isRouter && !names.includes(SERVER_CONFIG)) {
    throw new CommandFailure(`${directory} holds no graph, nothing to build one from and no ${SERVER_CONFIG}`);
  }
  if (codes.length > 0) {
    const code = [EXIT.configSyntax, EXIT.usage].find((first) => codes.includes(first)) ?? EXIT.failed;
    throw new CommandFailure(`${codes.length} of the files cannot be used`, code);
  }
}

/** As a build or a server with this file would end. */
function exitCode(name: string, error: unknown): number {
  const isSettings = inputKind(name) === 'config' || name === SERVER_CONFIG;
  return isSettings && !(error instanceof ConfigError) ? EXIT.usage : exitCodeOf(error);
}

/** One line about a file; undefined for files without a role. Throws when the file cannot be used. */
async function describe(name: string, file: string): Promise<string | undefined> {
  const kind = inputKind(name);
  if (kind !== 'other' || name === SERVER_CONFIG) await requireRegularFile(file);
  switch (kind) {
    case 'config':
      return describeConfig(name, await readFile(file, 'utf8'), file);
    case 'graph':
      return describeGraph(file);
    case 'other':
      return name === SERVER_CONFIG ? describeServerConfig(await readFile(file, 'utf8'), file) : undefined;
    default:
      return describeInput(file, name);
  }
}

function describeConfig(name: string, text: string, file: string): string {
  const parse: (text: string, file: string) => { warnings: ConfigWarning[] } =
    name === 'build-config.json' ? parseBuildConfig : parseRouterConfig;
  const { warnings } = parse(text, file);
  return ['ok', ...warnings.map(formatWarning)].join('\n  ');
}

/** Also reads the files that the settings name, as a server does. */
async function describeServerConfig(text: string, file: string): Promise<string> {
  const settings = resolveServerConfig({
    flags: {},
    environment: {},
    file: { text, name: file },
    basePath: path.dirname(file),
  });
  const lines: string[] = [];
  await checkNamedFiles(settings, (line) => lines.push(line));
  await readCertificate(settings);
  await readBoundaries(settings);
  return ['ok', ...settings.warnings.map(formatWarning), ...lines].join('\n  ');
}

/** Reads the boundaries, which a server reads only when it first needs them. */
async function readBoundaries({ config, placeOf }: FoundSettings): Promise<void> {
  const { file, nameField } = config.municipalities ?? {};
  if (file === undefined) return;
  // It loads the reader of shapefiles, which takes a sixth of the time of checking a configuration.
  const { Municipalities } = await import('../geocoding/municipalities.js');
  await readAt(placeOf('municipalities', 'file'), () => Municipalities.read(file, nameField));
}

async function describeGraph(file: string): Promise<string> {
  const graph = await openChecked(file);
  const info = graph.info();
  graph.dispose();
  const built = new Date(info.buildTime * 1000).toISOString();
  return `graph of ${built}: ${contentsText(info)}, ${info.timeZone}`;
}
