/** `npm start`: a signal to npm stops the server too. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { portWhenReady } from '../../src/bench/started-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

for (const workers of ['1', '2']) {
  test(`a signal to npm stops the server with ${workers} serving processes`, async (t) => {
    const place = await temporaryDirectory(t);
    const flags = ['--basePath', place, '--port', '0', '--bindAddress', '127.0.0.1', '--workers', workers];
    // The scripts around it would compile what the other tests are using.
    const npm = spawn('npm', ['run', 'start', '--silent', '--ignore-scripts', '--', ...flags], {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.teardown(() => {
      try {
        process.kill(-Number(npm.pid), 'SIGKILL');
      } catch {
        // All of them have ended.
      }
    });
    const address = `http://127.0.0.1:${await portWhenReady(npm)}/otp/`;
    t.is((await fetch(address)).status, 200);
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    const isDown = () =>
      fetch(address).then(
        () => false,
        () => true,
      );
    await until(isDown);
    t.pass();
  });
}
