import { renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { ServerConfig } from '../../config/server-settings.js';
import { holds } from '../../registry/inputs.js';
import { leadsNowhere } from '../../registry/regular-file.js';
import { routerDirectories } from '../../registry/watch.js';
import { readingError } from '../../storage/reading-error.js';
import { copySample } from '../sample-town.js';

/** Id of the router that serves the sample. */
const SAMPLE_ROUTER = 'default';

/**
 * Directory for the files until all of them are copied. If the server is stopped before that, its next start copies
 * them again.
 */
const UNFINISHED = '.unfinished-sample';

/**
 * Copies the sample town into the graphs directory if there is nothing else to serve: no configured router, no graph
 * and no inputs of one. The graph itself is then built like any other.
 */
export async function provideSample(config: ServerConfig, logger: Logger): Promise<void> {
  if (config.routers.length > 0 || config.autoScan || !config.buildOnDemand) return;
  for (const id of await routerDirectories(config.graphs)) {
    if (await holdsAnything(path.join(config.graphs, id))) return;
  }
  const directory = path.join(config.graphs, SAMPLE_ROUTER);
  if (await leadsNowhere(directory)) {
    logger.warn({ directory }, 'no graph yet, and the sample town cannot be copied: the directory is a broken link');
    return;
  }
  logger.info({ directory }, 'no graph yet: serving the sample town');
  const unfinished = path.join(directory, UNFINISHED);
  try {
    const files = await copySample(unfinished, config.pointSets);
    const inputs = files.filter((file) => path.dirname(file) === unfinished);
    // The files are moved without a pause, so nothing in this process sees only some of them.
    for (const file of inputs) renameSync(file, path.join(directory, path.basename(file)));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Whether a directory holds a graph or inputs of one. True if it cannot be read, as it may hold one. */
async function holdsAnything(directory: string): Promise<boolean> {
  if (await leadsNowhere(directory)) return false;
  if ((await readingError(directory)) !== undefined) return true;
  return holds(directory, ['graph', 'transit', 'streets']);
}
