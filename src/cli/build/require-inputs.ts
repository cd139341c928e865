/** Refuses directories that no graph can be built from, before a build replaces a graph with an empty one. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isSkipped } from '../../registry/input-check.js';
import { hasBuildInputs, inputKind, leadsNowhere } from '../../registry/inputs.js';
import { CommandFailure } from '../failure.js';

/** A table that every feed has: where it is no longer in a zip, somebody has unpacked a feed. */
const UNPACKED = 'stop_times.txt';

/** Ends the command, with the reason, if a build of the directory would find neither streets nor a feed. */
export async function requireInputs(directory: string): Promise<void> {
  const names = await readdir(directory);
  await refuseLinksToNothing(directory, names);
  if (!(await hasBuildInputs(directory))) {
    const reason = names.includes(UNPACKED)
      ? 'the unpacked tables of a feed; a build reads feeds as *.zip'
      : 'neither GTFS (*.zip) nor OpenStreetMap data (*.pbf, *.osm)';
    throw new CommandFailure(`${directory} holds ${reason}`);
  }
  if (names.some((name) => inputKind(name) === 'streets')) return;
  const archives = names.filter((name) => inputKind(name) === 'transit').sort();
  const skipped = await Promise.all(archives.map((name) => isSkipped(path.join(directory, name))));
  if (!skipped.every(Boolean)) return;
  const which = archives.length === 1 ? archives[0] : `each of ${archives.join(', ')}`;
  throw new CommandFailure(
    `${directory} holds no OpenStreetMap data and no feed: ${which} has no table of GTFS at its root (is it an archive of archives?)`,
  );
}

/** A build that left out such a link would make a graph without what the link should lead to. */
async function refuseLinksToNothing(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter((name) => !['graph', 'other'].includes(inputKind(name)))) {
    const file = path.join(directory, name);
    if (await leadsNowhere(file)) throw new CommandFailure(`${file} is a link to nothing`);
  }
}
