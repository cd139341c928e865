/** The sample town, in the files that `scripts/sample-town` wrote, each compressed with brotli. */

import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { inputKind } from '../registry/inputs.js';
import { makeDirectory } from '../storage/directory.js';
import { openFileStream } from '../storage/file-stream.js';

/** The package's copy of the town. */
const TOWN = fileURLToPath(new URL('../sample', import.meta.url));

/** End of the names of compressed files. */
const COMPRESSED = '.br';

/** Writes the inputs of a build and the point set of the town; returns the new files. */
export async function copySample(directory: string, pointSets: string): Promise<string[]> {
  return [...(await copyFiles(TOWN, directory)), ...(await copyFiles(path.join(TOWN, 'pointsets'), pointSets))];
}

/** Names of other inputs in a directory, which a build would put into one graph with the town. */
export async function inputsOfOthers(directory: string): Promise<string[]> {
  const own = await compressedNames(TOWN);
  const found = await readdir(directory).catch(() => []);
  const isInput = (name: string) => ['transit', 'streets', 'elevation'].includes(inputKind(name));
  return found.filter((name) => isInput(name) && !own.includes(`${name}${COMPRESSED}`));
}

async function compressedNames(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith(COMPRESSED));
}

async function copyFiles(from: string, to: string): Promise<string[]> {
  await makeDirectory(to);
  const names = await compressedNames(from);
  return Promise.all(
    names.map(async (name) => {
      const target = path.join(to, path.basename(name, COMPRESSED));
      await pipeline(
        createReadStream(path.join(from, name)),
        createBrotliDecompress(),
        await openFileStream(target, 'w'),
      );
      return target;
    }),
  );
}
