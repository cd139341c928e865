/** Removes what killed processes left among the files of a server. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ServerConfig } from '../config/server-settings.js';
import { removeTemporary, removeUnfinished } from '../storage/unfinished.js';
import { UNTOUCHED_MS } from '../storage/writer.js';
import { SCENARIOS } from './graph-file.js';

/** Where a server keeps what clients upload. */
type KeptFiles = Pick<ServerConfig, 'graphs' | 'pointSets' | 'alertFile'>;

/**
 * Removes half-written graphs, scenarios, point sets and alerts, and temporary directories. Files of living processes
 * stay, so that other servers may use the same directories; some time later, those of other places are looked at again.
 */
export async function removeLeftovers(kept: KeptFiles): Promise<void> {
  await removeOnce(kept);
  // By then, processes that cannot be asked have written something, or have ended.
  setTimeout(() => void removeOnce(kept).catch(() => {}), 1.1 * UNTOUCHED_MS).unref();
}

async function removeOnce({ graphs, pointSets, alertFile }: KeptFiles): Promise<void> {
  await removeTemporary();
  const routers = [graphs, ...(await directoriesIn(graphs))];
  const scenarios = (await Promise.all(routers.map(directoriesIn))).flat().filter((name) => name.endsWith(SCENARIOS));
  const alerts = alertFile === undefined ? [] : [path.dirname(alertFile)];
  for (const directory of [...routers, ...scenarios, pointSets, ...alerts]) await removeUnfinished(directory);
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(directory, name));
}
