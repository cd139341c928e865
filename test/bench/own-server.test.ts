/** The server that the benchmark starts for its requests. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { startOwnServer } from '../../src/bench/own-server.js';
import { MAIN } from '../support/command.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('a router that cannot be loaded is named with the reason, and not waited for', async (t) => {
  const graphs = await temporaryDirectory(t);
  const started = startOwnServer({ entry: MAIN, graphs, router: 'nowhere', startMs: 120_000 });
  await t.throwsAsync(started, {
    message: /^the router nowhere could not be loaded\n.*no Graph\.obj and no build inputs in .*nowhere/s,
  });
});

/** Answers its arguments on a port that it chooses, which it tells in its log. */
const PROGRAM = `
  import { createServer } from 'node:http';
  const server = createServer((_, response) => response.end(JSON.stringify(process.argv)));
  server.listen(0, '127.0.0.1', () => {
    for (const line of [{ level: 30, msg: 'listening', port: server.address().port }, { level: 30, msg: 'ready' }]) {
      process.stderr.write(JSON.stringify(line) + '\\n');
    }
  });
`;

test('the server chooses its port itself, so no other program can have taken it before', async (t) => {
  const graphs = await temporaryDirectory(t);
  const entry = path.join(graphs, 'program.mjs');
  await writeFile(entry, PROGRAM);
  const server = await startOwnServer({ entry, graphs, router: 'town', startMs: 120_000 });
  t.teardown(() => server.stop());
  const args = (await (await fetch(server.base)).json()) as string[];
  t.is(args[args.indexOf('--port') + 1], '0');
});

test('a server that stops is named with its exit code and what it said', async (t) => {
  const graphs = await temporaryDirectory(t);
  const entry = path.join(graphs, 'program.mjs');
  await writeFile(entry, `console.error('no such thing'); process.exit(3);`);
  const started = startOwnServer({ entry, graphs, router: 'town', startMs: 120_000 });
  await t.throwsAsync(started, { message: 'the server stopped with exit code 3\nno such thing' });
});
