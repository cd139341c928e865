/** The sample town, as the files that `scripts/sample-town` wrote. */

import { copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's copy of the town. */
const TOWN = fileURLToPath(new URL('../../../src/sample', import.meta.url));

/** Copies the inputs of a build and the point set of the town; returns the new files. */
export async function copySample(directory: string, pointSets: string): Promise<string[]> {
  return [...(await copyFiles(TOWN, directory)), ...(await copyFiles(path.join(TOWN, 'pointsets'), pointSets))];
}

async function copyFiles(from: string, to: string): Promise<string[]> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  await Promise.all(names.map((name) => copyFile(path.join(from, name), path.join(to, name))));
  return names.map((name) => path.join(to, name));
}
