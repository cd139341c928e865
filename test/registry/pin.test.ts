/** Copies of graphs, and what the operator hears when there can be none. */

import test from 'ava';
import { pinsIn } from '../../src/registry/pin.js';
import type { Spool } from '../../src/registry/spool.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('the operator hears of a graph without a copy, unless nobody can write to it', async (t) => {
  const file = await temporaryDirectory(t);
  const opened = async (code: string) => {
    const failing = { reserve: () => Promise.reject(Object.assign(new Error(code), { code })) } as unknown as Spool;
    const told: string[] = [];
    t.is(await pinsIn(failing, (...of) => told.push(of.join(' ')))(file), file);
    return told;
  };
  t.deepEqual(await opened('ENOSPC'), [`${file} Error: ENOSPC`]);
  t.deepEqual(await opened('EACCES'), [`${file} Error: EACCES`]);
  t.deepEqual(await opened('EROFS'), []);
  const broken = { reserve: () => Promise.reject(Object.assign(new Error('x'), { code: 'EIO' })) } as unknown as Spool;
  await t.throwsAsync(pinsIn(broken, () => t.fail())(file), { code: 'EIO' });
});
