/** Files whose source fails at once: the file must exist before it is removed, and not appear afterwards. */

import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import test from 'ava';
import { PointSetDirectory } from '../../src/analysis/point-set-directory.js';
import { Spool } from '../../src/registry/spool.js';
import { openFileStream } from '../../src/storage/file-stream.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const TIMES = 300;

/** When a generator fails, pipelines do not wait until the file is closed. */
async function* failing(): AsyncGenerator<Buffer> {
  yield await Promise.reject(new Error('no source'));
}

/**
 * Runs `once` many times in parallel, so that opening files takes long, and waits for files that appear late: file
 * operations begin in the order in which they are asked for, so after as many others each has ended.
 */
async function repeatedly(once: (i: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: TIMES }, (_, i) => once(i)));
  for (let round = 0; round < 2; round += 1) await Promise.all(Array.from({ length: TIMES }, () => stat('.')));
}

test('a file whose source fails at once can be removed at once', async (t) => {
  const directory = await temporaryDirectory(t);
  await repeatedly(async (i) => {
    const file = path.join(directory, `${i}`);
    const output = await openFileStream(file);
    await pipeline(failing, output).catch(() => {});
    await rm(file);
  });
  t.deepEqual(await readdir(directory), []);
});

test('a point set whose source fails at once leaves no file', async (t) => {
  const directory = await temporaryDirectory(t);
  const sets = new PointSetDirectory(directory);
  await repeatedly(async (i) => {
    await sets.store(`${i}`, 'csv', (file) => pipeline(failing, file)).catch(() => {});
  });
  t.deepEqual(await readdir(directory), []);
});

test('an upload that is too large with its first bytes leaves no file', async (t) => {
  const spool = new Spool(await temporaryDirectory(t), 10);
  const refusals: unknown[] = [];
  await repeatedly(async () => {
    const body = Readable.from([Buffer.alloc(11)]);
    await spool.receive(body, undefined, '.zip').catch((error) => refusals.push(error.status));
  });
  t.deepEqual(refusals, Array(TIMES).fill(413));
  t.deepEqual(await readdir(spool.directory), []);
});

test('an upload that has ended before its file is open is refused', async (t) => {
  const spool = new Spool(await temporaryDirectory(t), 10);
  const body = new Readable({ read() {} });
  const received = spool.receive(body, undefined, '.zip');
  body.destroy();
  await t.throwsAsync(received, { message: /ended early/ });
  t.deepEqual(await readdir(spool.directory), []);
});

test('a new file does not replace an existing one', async (t) => {
  const file = path.join(await temporaryDirectory(t), 'a');
  await writeFile(file, 'a');
  await t.throwsAsync(openFileStream(file), { code: 'EEXIST' });
});
