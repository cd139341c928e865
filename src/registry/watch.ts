/** The work of `--autoScan` and `--autoReload`, every ten seconds. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isLegalRouterId } from '../config/router-id.js';
import type { RouterControl } from './control.js';
import { type FileVersion, fileVersion, GRAPH_FILE, isSameVersion, routerDirectory } from './graph-file.js';
import type { RouterRegistry } from './registry.js';
import { SPOOL_DIRECTORY } from './spool.js';

/** Pause between two checks, milliseconds. */
export const WATCH_PERIOD_MS = 10_000;

/** A file younger than this may still be being written, milliseconds. */
const QUIET_MS = 10_000;

/** Ids of the sub-directories of the graphs directory, and the empty one for the directory itself. */
export async function routerDirectories(graphs: string): Promise<string[]> {
  const names = await subDirectories(graphs);
  return names === undefined ? [] : ['', ...names.filter(isLegalRouterId)];
}

/** Sub-directories of the graphs directory whose names cannot be ids; hidden ones are not meant to be. */
export async function misnamedDirectories(graphs: string): Promise<string[]> {
  const names = (await subDirectories(graphs)) ?? [];
  return names.filter((name) => !name.startsWith('.') && !isLegalRouterId(name));
}

/** `undefined` when the directory cannot be read. */
async function subDirectories(graphs: string): Promise<string[] | undefined> {
  const found = await readdir(graphs, { withFileTypes: true }).catch(() => undefined);
  const directories = found?.filter((entry) => !entry.isFile() && entry.name !== SPOOL_DIRECTORY);
  return directories?.map(({ name }) => name).sort();
}

/** Registers every directory that has a graph and is not registered yet. Never evicts. */
export async function scanOnce(
  graphs: string,
  registry: RouterRegistry,
  control: Pick<RouterControl, 'put'>,
): Promise<void> {
  for (const id of await routerDirectories(graphs)) {
    if (registry.isRegistered(id)) continue;
    const built = await fileVersion(path.join(routerDirectory(graphs, id), GRAPH_FILE));
    if (built !== undefined) await control.put(id);
  }
}

/** Reloads routers whose file has changed and is no longer being written; if that fails, the old graph stays. */
export class ReloadWatch {
  /** Last state of the file that was tried, so that a bad file is not tried again and again. */
  readonly #tried = new Map<string, FileVersion>();

  constructor(
    private readonly registry: RouterRegistry,
    private readonly control: Pick<RouterControl, 'put'>,
  ) {}

  /** Checks all registered routers once. */
  async look(): Promise<void> {
    for (const { id } of this.registry.list()) {
      const source = this.registry.sourceOf(id);
      if (source?.kind !== 'directory') continue;
      const version = await fileVersion(source.file);
      // The time of a file may be in the future, because another machine has written it or the clock was set back.
      if (version === undefined || Math.abs(Date.now() - version.mtimeMs) < QUIET_MS) continue;
      if (isSameVersion(version, source.served?.version) || isSameVersion(version, this.#tried.get(id))) continue;
      this.#tried.set(id, version);
      await this.control.put(id);
    }
  }
}

/**
 * Calls `look` regularly, never twice at once, for the first time after `firstMs`. Returns a function that stops it.
 */
export function repeat(
  look: () => Promise<void>,
  onError: (error: unknown) => void,
  periodMs = WATCH_PERIOD_MS,
  firstMs = periodMs,
): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const after = (pauseMs: number) => {
    timer = setTimeout(async () => {
      await look().catch(onError);
      if (!stopped) after(periodMs);
    }, pauseMs);
    timer.unref();
  };
  after(firstMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
