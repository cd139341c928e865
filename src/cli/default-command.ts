/** `trestle --build DIR --server …`: `trestle` without a command, as scripts for the reference call it. */

import cluster from 'node:cluster';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { BuildReport } from '../native/types.js';
import { addonMaker } from '../registry/addon-maker.js';
import { GRAPH_FILE } from '../registry/graph-file.js';
import { builtFile, type GraphSource, SharedSource } from '../registry/graph-source.js';
import { makeTemporary } from '../storage/unfinished.js';
import { CommandFailure, EXIT } from './failure.js';
import { unknownCommand } from './help-command.js';
import { type ServerArguments, serverArguments } from './server-flags.js';

interface DefaultOptions {
  build?: string;
  inMemory?: boolean;
  preFlight?: boolean;
  server?: boolean;
}

/** Builds, serves, or does both; without either there is nothing to do. */
export async function runDefaultCommand(program: Command): Promise<void> {
  const [unknown] = program.args;
  if (unknown !== undefined) throw unknownCommand(unknown, program);
  const options = program.opts<DefaultOptions>();
  const from = serverArguments(program);
  const serving = options.server || from.flags.port !== undefined || options.inMemory || options.preFlight;
  if ((options.inMemory || options.preFlight) && options.build === undefined) {
    throw new CommandFailure('--inMemory and --preFlight need --build', EXIT.usage);
  }
  // The serving processes serve the graph that this process has built.
  if (cluster.isWorker) return serve(from);
  if (options.build === undefined) {
    if (serving) return serve(from);
    program.outputHelp({ error: true });
    throw new CommandFailure('nothing to do: name a command, or give --build or --server');
  }
  if (!serving) {
    await build(options.build);
    return;
  }
  if (options.inMemory) return serveWithoutKeeping(options.build, from);
  const { path: file } = await build(options.build);
  const kept = options.preFlight ? await graphSource(file) : undefined;
  return serve(from, kept);
}

/** Even then the graph is a file, because graphs are memory-mapped; the file is removed when the server ends. */
async function serveWithoutKeeping(directory: string, from: ServerArguments): Promise<void> {
  const temporary = await makeTemporary();
  // A server that is stopped before it is ready ends the process at once.
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
  const file = path.join(temporary, GRAPH_FILE);
  const stop = listenForStop();
  await build(directory, file, stop.signal);
  await serve(from, await graphSource(file), stop.end);
}

/**
 * Listens for signals to end the process. They stop work through `signal`. `end` is called when a server handles them
 * itself, so that none is lost in between; it throws if one came too late to stop the work.
 */
function listenForStop(): { signal: AbortSignal; end: () => void } {
  const stop = new AbortController();
  const names = ['SIGTERM', 'SIGINT'] as const;
  const abort = () => stop.abort();
  for (const name of names) process.once(name, abort);
  const end = () => {
    for (const name of names) process.off(name, abort);
    if (stop.signal.aborted) throw new CommandFailure('stopped before the server was ready');
  };
  return { signal: stop.signal, end };
}

async function graphSource(file: string) {
  return new SharedSource(builtFile(path.resolve(file)), await addonMaker(), { uploadedUpdaters: false });
}

/** Builds without loading the server. */
async function build(directory: string, output?: string, signal?: AbortSignal): Promise<BuildReport> {
  const builder = await import('./build/run-build.js');
  return builder.build(directory, output, signal);
}

/** Serves without loading what only builds need. */
async function serve(from: ServerArguments, built?: GraphSource, onSignalsHandled?: () => void): Promise<void> {
  const server = await import('./serve/run-server.js');
  return server.serve(from, built, onSignalsHandled);
}
