/** What servers keep in the spool of a graphs directory. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { SPOOL_DIRECTORY } from '../../src/registry/spool.js';

/** Paths of the files and folders that servers have there, without those in them. */
export async function spooled(graphs: string): Promise<string[]> {
  const spool = path.join(graphs, SPOOL_DIRECTORY);
  const servers = await readdir(spool).catch(() => []);
  const names = (server: string) => readdir(path.join(spool, server)).catch(() => []);
  const files = await Promise.all(
    servers.map(async (server) => (await names(server)).map((name) => path.join(spool, server, name))),
  );
  return files.flat();
}
