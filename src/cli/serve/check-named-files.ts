/** Checks the directories and files that settings name, before anything is started. */

import { access, constants, stat } from 'node:fs/promises';
import { readPatches } from '../../alerts/alert-store.js';
import { ConfigError, type ConfigPlace, formatWarning } from '../../config/diagnostic.js';
import { parseObjectAddress } from '../../config/object-address.js';
import type { FoundSettings } from '../../config/server-config.js';
import { readingError } from '../../storage/reading-error.js';

/**
 * Throws a `ConfigError` for a setting that names something other than a directory, or something that this user may not
 * read, which would otherwise show in the first request that needs it, or not at all. Missing directories are made when
 * they are needed, except that of the operator's own pages: `warn` gets a line about it.
 */
export async function checkNamedFiles(settings: FoundSettings, warn: (line: string) => void): Promise<void> {
  await checkDirectories(settings, warn);
  const { config, placeOf } = settings;
  const { alertFile, municipalities: { file } = {} } = config;
  if (alertFile !== undefined) await readAt(placeOf('alertFile'), () => readPatches(alertFile));
  const unreadable = file === undefined ? undefined : await access(file, constants.R_OK).catch((error: Error) => error);
  if (unreadable) {
    throw new ConfigError(placeOf('municipalities', 'file'), `${file} cannot be read: ${unreadable.message}`);
  }
}

/** Reads what a setting names. Throws a `ConfigError` with the place of the setting if that fails. */
export async function readAt(place: ConfigPlace, read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    throw new ConfigError(place, (error as Error).message);
  }
}

async function checkDirectories({ config, placeOf }: FoundSettings, warn: (line: string) => void): Promise<void> {
  for (const name of ['graphs', 'cache', 'pointSets', 'jobs', 'clientFiles'] as const) {
    // Published graphs are served from the cache.
    const place = name === 'graphs' && config.publishedGraphs !== undefined ? undefined : config[name];
    if (place === undefined || parseObjectAddress(place) !== undefined) continue;
    const found = await stat(place).catch(() => undefined);
    if (found !== undefined && !found.isDirectory()) {
      throw new ConfigError(placeOf(name), `${place} is not a directory`);
    }
    const unreadable = await readingError(place);
    if (unreadable !== undefined) {
      throw new ConfigError(placeOf(name), `${place} cannot be read: ${unreadable.message}`);
    }
    if (found === undefined && name === 'clientFiles') {
      warn(formatWarning({ ...placeOf(name), fault: `there is no directory ${place}`, outcome: 'so /local is empty' }));
    }
  }
}
