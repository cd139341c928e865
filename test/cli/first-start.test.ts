/** The log of a server that builds a graph. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test from 'ava';
import { MAIN } from '../support/command.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

for (const workers of ['1', '2']) {
  test(`each line of the log is one of JSON, those about a build too; ${workers} processes`, async (t) => {
    const args = [MAIN, 'serve', '--port', '0', '--bindAddress', '127.0.0.1', '--workers', workers];
    const server = spawn(process.execPath, args, {
      cwd: await temporaryDirectory(t),
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
    const records = lines.map((line) => JSON.parse(line));
    const steps = records.filter(({ msg }) => msg === 'a step of the build is done');
    t.true(steps.length > 5);
    t.true(steps.every(({ directory, step, seconds }) => /default$/.test(directory) && step !== '' && seconds >= 0));
  });
}
