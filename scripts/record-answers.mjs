// Records the answers for the sample town anew and shows what has changed: `npm run record`. Review it before committing.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const run = (command, args, env = {}) =>
  spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });

const { status } = run('npm', ['exec', '--no', 'ava', 'dist/test/recorded/recorded.test.js'], { UPDATE_ANSWERS: '1' });
run('git', ['--no-pager', 'diff', '--stat', '--patch', '--', 'test/recorded/answers']);
process.exitCode = status ?? 1;
