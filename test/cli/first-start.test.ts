/** A server that starts in an empty directory: its log while it builds the sample, and what it leaves behind. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { MAIN } from '../support/command.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

for (const workers of ['1', '2']) {
  test(`each line of the log is one of JSON, those about a build too, and no copy is left; processes: ${workers}`, async (t) => {
    const args = [MAIN, 'serve', '--port', '0', '--bindAddress', '127.0.0.1', '--workers', workers];
    const cwd = await temporaryDirectory(t);
    const server = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.teardown(() => server.kill('SIGKILL'));
    const lines: string[] = [];
    for await (const line of createInterface(server.stderr)) {
      lines.push(line);
      if (line.includes('"ready"')) break;
    }
    server.kill('SIGTERM');
    await once(server, 'exit');
    t.deepEqual(
      await readdir(path.join(cwd, 'graphs/.spool')),
      [],
      'a server that has ended needs no copies of graphs',
    );
    const records = lines.map((line) => JSON.parse(line));
    const steps = records.filter(({ msg }) => msg === 'a step of the build is done');
    t.true(steps.length > 5);
    t.true(steps.every(({ directory, step, seconds }) => /default$/.test(directory) && step !== '' && seconds >= 0));
  });
}
