/** Directories whose files cannot be listed or opened. */

import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { readingError } from '../../src/storage/reading-error.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const MODULE = new URL('../../src/storage/reading-error.js', import.meta.url).href;

/**
 * Prints the calls that failed, for directories in the working directory. No directory is closed to root, so the process
 * becomes another user once it has read the module, which that user may not be able to read.
 */
const AS_A_USER = `
  const { readingError } = await import(process.argv[1]);
  if (process.getuid() === 0) {
    process.setgid(65534);
    process.setuid(65534);
  }
  const errors = await Promise.all(process.argv.slice(2).map((name) => readingError(name)));
  console.log(JSON.stringify(errors.map((error) => error && [error.syscall, error.code])));
`;

const onUnix = process.platform === 'win32' ? test.skip : test;

onUnix('a directory has to be open for both listing and entering', async (t) => {
  const made = await temporaryDirectory(t);
  await chmod(made, 0o755);
  const modes = { closed: 0, listed: 0o444, entered: 0o111, open: 0o555 };
  for (const [name, mode] of Object.entries(modes)) {
    await mkdir(path.join(made, name));
    await chmod(path.join(made, name), mode);
  }
  const args = ['--input-type=module', '--eval', AS_A_USER, MODULE, ...Object.keys(modes), 'missing'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: made });
  const refused = ['access', 'EACCES'];
  t.deepEqual(JSON.parse(stdout), [refused, refused, refused, null, null]);
});

test('a link to itself cannot be read, and a file is not a directory', async (t) => {
  const made = await temporaryDirectory(t);
  await symlink('loop', path.join(made, 'loop'));
  await writeFile(path.join(made, 'file'), '');
  t.like(await readingError(path.join(made, 'loop')), { code: 'ELOOP' });
  t.is(await readingError(path.join(made, 'file')), undefined);
});
