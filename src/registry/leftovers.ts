/** Removes what killed processes left among the files of a server. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { removeTemporary, removeUnfinished } from '../storage/unfinished.js';
import { UNTOUCHED_MS } from '../storage/writer.js';
import { SCENARIOS } from './graph-file.js';

/** Where a server keeps what clients upload. */
interface KeptFiles {
  readonly graphs: string;
  readonly pointSets: string;
  readonly alertFile?: string;
}

/** Names of unfinished files of earlier versions. */
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const EARLIER_SCENARIO = new RegExp(`^\\.${UUID}$`);
const EARLIER_POINT_SET = /^\..+\.(?<pid>\d+)\.\d+\.(?:csv|json|zip)$/;
const earlierAlerts = (file: string) => new RegExp(`^${path.basename(file).replace(/[^\w]/gu, '\\$&')}\\.${UUID}$`);

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
  for (const directory of routers) await removeUnfinished(directory);
  for (const directory of scenarios) await removeUnfinished(directory, EARLIER_SCENARIO);
  await removeUnfinished(pointSets, EARLIER_POINT_SET);
  if (alertFile !== undefined) await removeUnfinished(path.dirname(alertFile), earlierAlerts(alertFile));
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(directory, name));
}
