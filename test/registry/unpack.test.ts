import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { HttpError } from '../../src/http-error.js';
import { unpackFlatZip } from '../../src/registry/unpack.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { zip } from '../support/zip.js';

const LIMITS = { maxBytes: 100_000, maxFiles: 10, maxRatio: 200 };

/** A small generator, the same numbers every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('bounds on files and bytes', async (t) => {
  const directory = await temporaryDirectory(t);
  const unpack = async (files: Record<string, string>) => {
    const file = path.join(directory, 'a.zip');
    await writeFile(file, await zip(files));
    await rm(path.join(directory, 'out'), { recursive: true, force: true });
    return unpackFlatZip(file, path.join(directory, 'out'), LIMITS);
  };
  t.deepEqual(await unpack({ 'a.txt': 'x', 'b.txt': 'y' }), ['a.txt', 'b.txt']);
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`${i}.txt`, '']));
  await t.throwsAsync(unpack(many), { instanceOf: HttpError, message: /more than 10 files/ });
  await t.throwsAsync(unpack({ 'a.txt': 'x'.repeat(60_000), 'b.txt': 'x'.repeat(60_000) }), {
    message: /unpacks to more/,
  });
  await t.throwsAsync(unpack({ '.profile': '' }), { message: /unacceptable entry/ });
});

test('damaged zips are refused or read, never more, and nothing leaves the directory', async (t) => {
  const directory = await temporaryDirectory(t);
  const good = await zip({ 'a.txt': 'some text '.repeat(50), 'b.osm': '<osm/>', 'c.json': '{}' });
  const random = numbers(7);
  let refused = 0;
  for (let round = 0; round < 400; round += 1) {
    const bad = Buffer.from(good.subarray(0, random() < 0.2 ? Math.floor(random() * good.length) : good.length));
    for (let i = 0; i < 1 + random() * 4 && bad.length > 0; i += 1) {
      bad[Math.floor(random() * bad.length)] = Math.floor(random() * 256);
    }
    const inner = path.join(directory, 'inner');
    await mkdir(inner);
    await writeFile(path.join(inner, 'a.zip'), bad);
    try {
      await unpackFlatZip(path.join(inner, 'a.zip'), path.join(inner, 'out'), LIMITS);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      refused += 1;
    }
    t.deepEqual(await readdir(directory), ['inner']);
    t.deepEqual((await readdir(inner)).sort(), ['a.zip', 'out']);
    await rm(inner, { recursive: true });
  }
  t.true(refused > 100, `${refused} refused`);
});
