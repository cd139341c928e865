/** Settings that name directories, before anything is started. */

import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { parseObjectAddress } from '../../config/object-address.js';
import type { ServerConfig } from '../../config/server-settings.js';
import { readingError } from '../../storage/reading-error.js';
import { CommandFailure, EXIT } from '../failure.js';

/**
 * Ends the command if a setting names something other than a directory, or one that this user may not read, which would
 * otherwise show in the first request that needs it, or not at all. Missing directories are made when they are needed,
 * except that of the operator's own pages.
 */
export async function checkDirectories(config: ServerConfig, logger: Logger): Promise<void> {
  const { graphs, cache, pointSets, jobs, clientFiles } = config;
  for (const [name, place] of Object.entries({ graphs, cache, pointSets, jobs, clientFiles })) {
    if (place === undefined || parseObjectAddress(place) !== undefined) continue;
    const found = await stat(place).catch(() => undefined);
    if (found !== undefined && !found.isDirectory()) {
      throw new CommandFailure(`${name}: ${place} is not a directory`, EXIT.usage);
    }
    const unreadable = await readingError(place);
    if (unreadable !== undefined) {
      throw new CommandFailure(`${name}: ${place} cannot be read: ${unreadable.message}`, EXIT.usage);
    }
    if (found === undefined && name === 'clientFiles') {
      logger.warn(`clientFiles: there is no directory ${place}, so /local is empty`);
    }
  }
}
