/** What killed processes left among the files of a server. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { removeUnfinished } from '../storage/unfinished.js';

/** Where a server keeps what clients send. */
export interface KeptFiles {
  readonly graphs: string;
  readonly pointSets: string;
  readonly alertFile?: string;
}

/** End of the name of a directory of scenarios. */
const SCENARIOS = '.scenarios';

/**
 * Removes what was left half written: graphs, scenarios, point sets, alerts. What a living process writes stays, so other
 * servers over the same files may run.
 */
export async function removeLeftovers({ graphs, pointSets, alertFile }: KeptFiles): Promise<void> {
  const routers = [graphs, ...(await directoriesIn(graphs))];
  const scenarios = (await Promise.all(routers.map(directoriesIn))).flat().filter((name) => name.endsWith(SCENARIOS));
  const alerts = alertFile === undefined ? [] : [path.dirname(alertFile)];
  for (const directory of new Set([...routers, ...scenarios, pointSets, ...alerts])) await removeUnfinished(directory);
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(directory, name));
}
