/** The town as the package contains it: each file is compressed by itself, and `trestle sample` decompresses it. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type SampleOptions, writeSample } from './index.js';

/** Writes the files of `writeSample` with `.br` after their names. Takes about a minute. */
export async function writeShipped(directory: string, options: SampleOptions): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'trestle-sample-'));
  try {
    await writeSample(temporary, { ...options, stored: true });
    const entries = await readdir(temporary, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const file = join(entry.parentPath, entry.name);
      const target = join(directory, `${relative(temporary, file)}.br`);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, await compressed(await readFile(file)));
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function compressed(content: Buffer): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return promisify(brotliCompress)(content, { params });
}
