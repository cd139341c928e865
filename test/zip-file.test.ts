import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import type { ZipFile } from 'yauzl';
import { unpackFlatZip } from '../src/registry/unpack.js';
import { withZipFile, zipOf } from '../src/zip-file.js';
import { temporaryDirectory } from './support/temporary-directory.js';
import { zip } from './support/zip.js';

async function namesIn(archive: ZipFile): Promise<string[]> {
  const names: string[] = [];
  for await (const { fileName } of archive.eachEntry()) names.push(fileName);
  return names;
}

// Runs alone: it counts the reads of the process.
test.serial('the names in a zip of very many files are read in few steps', async (t) => {
  const names = Array.from({ length: 3000 }, (_, i) => `${i}.txt`);
  const file = path.join(await temporaryDirectory(t), 'many.zip');
  await writeFile(file, await zip(Object.fromEntries(names.map((name) => [name, '']))));
  const handle = await open(file);
  const files = Object.getPrototypeOf(handle);
  await handle.close();
  const { read } = files;
  t.teardown(() => {
    files.read = read;
  });
  let reads = 0;
  files.read = function (...parameters: unknown[]) {
    reads += 1;
    return read.apply(this, parameters);
  };
  t.deepEqual(await withZipFile(file, namesIn), names);
  t.true(reads < 20, `${reads} reads`);
});

test('a zip that ends within its list of files is refused', async (t) => {
  const file = path.join(await temporaryDirectory(t), 'a.zip');
  const archive = await zip({ 'a.txt': 'a' });
  const end = archive.length - 22;
  // The list begins with a record that the end of the file cuts off.
  const record = Buffer.from('PK\x01\x02', 'latin1');
  const cut = Buffer.concat([archive.subarray(0, end), record, archive.subarray(end)]);
  cut.writeUInt32LE(end, cut.length - 6);
  await writeFile(file, cut);
  await t.throwsAsync(withZipFile(file, namesIn), { message: 'unexpected EOF' });
});

test('bytes after an archive do not matter, either in memory or in uploads', async (t) => {
  const directory = await temporaryDirectory(t);
  const archive = await zip({ 'a.txt': 'a', 'b.txt': 'b' });
  for (const [i, after] of ['PK', '\r\n<!DOCTYPE html>PK\x05\x06', ' '.repeat(100_000)].entries()) {
    const bytes = Buffer.concat([archive, Buffer.from(after)]);
    t.deepEqual(await namesIn(await zipOf(bytes)), ['a.txt', 'b.txt']);
    const file = path.join(directory, `${i}.zip`);
    await writeFile(file, bytes);
    const unpacked = await unpackFlatZip(file, path.join(directory, `${i}`), {
      maxBytes: 100,
      maxFiles: 2,
      maxRatio: 200,
    });
    t.deepEqual(unpacked, ['a.txt', 'b.txt']);
  }
});
