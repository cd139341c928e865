/** `--script FILE`: a script that runs once, as soon as there is something to search. */

import path from 'node:path';
import { HostedScript } from '../../http/resources/scripting/script-host.js';
import { scriptKind } from '../../scripting/language.js';
import { MAX_OUTPUT } from '../../scripting/limits.js';
import { runScript, type Script } from '../../scripting/run-script.js';
import type { AppDeps } from '../../server/deps.js';
import { readNamedText } from '../named-file.js';

/** Reads a script before anything is started. Throws for a file that is missing or in another language. */
export async function readStartScript(file: string): Promise<Script> {
  const fileName = path.basename(file);
  return { fileName, kind: scriptKind(fileName), source: await readNamedText(file) };
}

/** Runs it and prints its value; a script that fails is logged, and the server continues. */
export async function runStartScript(script: Script, deps: AppDeps): Promise<void> {
  const hosted = new HostedScript(deps, (line) => deps.logger.info({ script: script.fileName }, line), 'start');
  const limits = { timeMs: UNHURRIED_MS, memoryBytes: deps.config.maxScriptBytes, outputLength: MAX_OUTPUT };
  try {
    const value = await runScript(script, hosted.host, limits);
    if (value !== '') process.stdout.write(value.endsWith('\n') ? value : `${value}\n`);
  } catch (error) {
    deps.logger.error({ script: script.fileName, err: error }, 'the script failed');
  } finally {
    hosted.close();
  }
}

/** A script of the command line has no time limit. */
const UNHURRIED_MS = 24 * 3600 * 1000;
