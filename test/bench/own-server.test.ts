/** The server that the benchmark starts for its requests. */

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
