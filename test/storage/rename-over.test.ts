/** Replacing files, also on Windows, which refuses it while a file is open. */

import type { PathLike } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { renameOver } from '../../src/storage/rename-over.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Renames that fail this many times with a code first. */
function failing(times: number, code: string) {
  let left = times;
  return async (from: PathLike, to: PathLike) => {
    left -= 1;
    if (left >= 0) throw Object.assign(new Error(code), { code });
    await rename(from, to);
  };
}

test('a file that is open on Windows is replaced when it is closed', async (t) => {
  const directory = await temporaryDirectory(t);
  const [from, to] = [path.join(directory, 'new'), path.join(directory, 'file')];
  await writeFile(to, 'old');
  await writeFile(from, 'new');
  await renameOver(from, to, { attempt: failing(3, 'EPERM'), onWindows: true });
  t.is(await readFile(to, 'utf8'), 'new');
});

test('other errors, and those of other systems, are not waited for', async (t) => {
  const attempts = (code: string, onWindows: boolean) => renameOver('a', 'b', { attempt: failing(1, code), onWindows });
  await t.throwsAsync(attempts('ENOSPC', true), { code: 'ENOSPC' });
  await t.throwsAsync(attempts('EPERM', false), { code: 'EPERM' });
  const attempt = failing(Number.POSITIVE_INFINITY, 'EBUSY');
  await t.throwsAsync(renameOver('a', 'b', { attempt, onWindows: true }), { code: 'EBUSY' });
});
