/** Commands whose output cannot be written. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { MAIN } from '../support/command.js';
import { smallFeedZip } from '../support/small-feed.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** A device that is always full, which only Linux has. */
const FULL_DISK = '/dev/full';
const onFullDisk = existsSync(FULL_DISK) ? test : test.skip;

async function runs(t: ExecutionContext, args: string[], full: 'stdout' | 'stderr') {
  const disk = await open(FULL_DISK, 'w');
  t.teardown(() => disk.close());
  const stdio = full === 'stdout' ? (['ignore', disk.fd, 'pipe'] as const) : (['ignore', 'pipe', disk.fd] as const);
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: [...stdio] });
  const read = (child.stdout ?? child.stderr) as NodeJS.ReadableStream;
  const [written, [code]] = await Promise.all([text(read), once(child, 'close')]);
  return { written, code };
}

onFullDisk('a build whose messages cannot be written makes the graph', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(path.join(directory, 'feed.zip'), await smallFeedZip());
  t.deepEqual(await runs(t, ['build', directory], 'stderr'), { written: '', code: 0 });
  t.true(existsSync(path.join(directory, 'Graph.obj')));
});

onFullDisk('a result that cannot be written is an error in one line', async (t) => {
  const directory = await temporaryDirectory(t);
  const { written, code } = await runs(t, ['sample', directory], 'stdout');
  t.is(written, 'trestle: the output is not complete: ENOSPC: no space left on device, write\n');
  t.is(code, 255);
});
