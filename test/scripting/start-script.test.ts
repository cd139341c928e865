/** A script that a server runs at startup. */

import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { MAIN } from '../support/command.js';
import { graphsWith } from '../support/graphs-directory.js';
import { buildSampleTown } from '../support/sample-graph.js';

/** Starts a server and resolves with what it prints, at its end or with the first whole line. */
async function serve(t: ExecutionContext, args: string[]): Promise<string> {
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', '--logLevel', 'warn', ...args]);
  t.teardown(() => child.kill('SIGKILL'));
  let printed = '';
  return new Promise((resolve) => {
    child.stderr.on('data', (chunk) => {
      printed += chunk;
    });
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.endsWith('\n')) resolve(printed);
    });
    child.on('exit', (code) => resolve(`${code} ${printed}`));
  });
}

test('it runs once the routers are loaded, and its value is printed', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const graphs = await graphsWith(t, town);
  const script = path.join(graphs, 'start.js');
  await writeFile(script, 'otp.routers().map(({ id }) => otp.router(id).info().routerId)');
  t.is(await serve(t, ['--graphs', graphs, '--router', 'town', '--script', script]), '["town"]\n');
});

test('a file in another language ends the server before it starts', async (t) => {
  t.regex(await serve(t, ['--script', 'old.groovy']), /^[1-9]\d* trestle: Groovy cannot be run here/);
  t.regex(await serve(t, ['--script', '/nonexistent.js']), /^[1-9]\d* trestle: .*nonexistent\.js/);
});
