/** Refuses directories that no graph can be built from, before a build replaces a graph with an empty one. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isSkipped } from '../../registry/input-check.js';
import { inputKind } from '../../registry/inputs.js';
import { regularFile } from '../../registry/regular-file.js';
import { CommandFailure } from '../failure.js';

/** A table that every feed has: where it is no longer in a zip, somebody has unpacked a feed. */
const UNPACKED = 'stop_times.txt';

/**
 * Ends the command, with the reason, if the directory has neither streets nor a feed. Links to nothing, directories and
 * pipes are refused by the build.
 */
export async function requireInputs(directory: string): Promise<void> {
  const names = await readdir(directory);
  const kinds = new Set(names.map(inputKind));
  if (!kinds.has('transit') && !kinds.has('streets')) {
    const reason = names.includes(UNPACKED)
      ? 'the unpacked tables of a feed; a build reads feeds as *.zip'
      : 'neither GTFS (*.zip) nor OpenStreetMap data (*.pbf, *.osm)';
    throw new CommandFailure(`${directory} holds ${reason}`);
  }
  if (kinds.has('streets')) return;
  const archives = names.filter((name) => inputKind(name) === 'transit').sort();
  const skipped = await Promise.all(
    archives.map(async (name) => {
      const file = path.join(directory, name);
      return (await regularFile(file)) !== undefined && isSkipped(file);
    }),
  );
  if (!skipped.every(Boolean)) return;
  const which = archives.length === 1 ? archives[0] : `each of ${archives.join(', ')}`;
  throw new CommandFailure(
    `${directory} holds no OpenStreetMap data and no feed: ${which} has no GTFS table at its root (is it an archive of archives?)`,
  );
}
