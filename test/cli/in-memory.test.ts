/** A graph that is built only to be served leaves nothing behind, whenever the server is stopped. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { writeSample } from '../../scripts/sample-town/index.js';
import { MAIN } from '../support/command.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

for (const [when, line] of [
  ['while it builds', /^streets|^osm/],
  // A signal that comes now finds nothing of the build to stop.
  ['when it has built', / MB in /],
  ['before it is ready', /"msg":"listening"/],
  ['while it serves', /"msg":"ready"/],
] as const) {
  test(`stopped ${when}`, async (t) => {
    const place = await temporaryDirectory(t);
    const [inputs, temporary] = [path.join(place, 'inputs'), path.join(place, 'temporary')];
    await mkdir(temporary);
    await writeSample(inputs, { size: 'village' });
    const server = spawn(process.execPath, [MAIN, '--build', inputs, '--inMemory', '--port', '0'], {
      cwd: place,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.teardown(() => server.kill('SIGKILL'));
    const ended = once(server, 'exit');
    let during: string[] = [];
    for await (const said of createInterface(server.stderr)) {
      if (!line.test(said)) continue;
      during = await readdir(temporary);
      server.kill('SIGTERM');
      break;
    }
    server.stderr.resume();
    await ended;
    t.is(during.length, 1);
    t.deepEqual(await readdir(temporary), []);
    t.deepEqual((await readdir(inputs)).includes('Graph.obj'), false);
  });
}
