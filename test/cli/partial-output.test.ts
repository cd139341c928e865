/** Commands whose output cannot be written. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { MAIN } from '../support/command.js';
import { graphsWith } from '../support/graphs-directory.js';
import { buildSampleTown } from '../support/sample-graph.js';
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

onFullDisk('a server that could not write the value of its script is later stopped as usual', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const graphs = await graphsWith(t, town);
  const script = path.join(graphs, 'start.js');
  await writeFile(script, '"value"');
  const disk = await open(FULL_DISK, 'w');
  t.teardown(() => disk.close());
  const args = ['serve', '--port', '0', '--graphs', graphs, '--router', 'town', '--script', script];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', disk.fd, 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  let written = '';
  child.stderr?.on('data', (chunk) => {
    written += chunk;
    // A second signal would end it at once.
    if (!child.killed && /the output is not complete/.test(written)) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  t.is(code, 0, written);
  t.regex(written, /the output is not complete: ENOSPC/);
});
