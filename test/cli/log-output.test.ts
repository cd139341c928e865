/** The log neither stops nor ends a server, whatever happens to standard error. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { LogOutput } from '../../src/cli/log-output.js';
import { until } from '../support/until.js';

const MODULE = fileURLToPath(new URL('../../src/cli/log-output.js', import.meta.url));

/** A disk with room for some bytes. */
function disk(room: number) {
  const state = { room, text: '', tries: 0 };
  const attempt = (bytes: Buffer, done: (error: Error | null, written: number) => void) => {
    state.tries += 1;
    const fits = bytes.subarray(0, state.room);
    state.room -= fits.length;
    state.text += fits.toString();
    setImmediate(() => (fits.length === 0 ? done(new Error('ENOSPC'), 0) : done(null, fits.length)));
  };
  return { state, target: { attempt, attemptNow: () => {} } };
}

test('lines wait for a full disk and are not split', async (t) => {
  const { state, target } = disk(25);
  const output = new LogOutput(target);
  for (let i = 0; i < 10; i++) output.write(`line ${i} of ten\n`);
  await until(() => state.tries >= 2);
  t.is(state.text.length, 25);
  state.room = 1e6;
  await until(() => state.text.endsWith('line 9 of ten\n'));
  t.is(state.text, Array.from({ length: 10 }, (_, i) => `line ${i} of ten\n`).join(''));
});

test('lines beyond the limit are lost, and counted when there is room again', async (t) => {
  const { state, target } = disk(0);
  const output = new LogOutput(target);
  const line = `${'x'.repeat(1023)}\n`;
  for (let i = 0; i < 1500; i++) output.write(line);
  state.room = 1e9;
  await until(() => state.text.includes('"lost"'));
  const { lost } = JSON.parse(state.text.trim().split('\n').at(-1) ?? '');
  t.true(lost > 400 && lost < 500, `${lost} lines`);
  output.write('later\n');
  await until(() => state.text.endsWith('later\n'));
  t.is(state.text.split('\n').length - 1, 1500 - lost + 2);
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a process ends although nothing reads the pipe of its log', async (t) => {
  const script = `
    const { LogOutput } = await import(process.argv[1]);
    const output = new LogOutput();
    for (let i = 0; i < 5000; i++) output.write('x'.repeat(200) + '\\n');
    setTimeout(() => process.exit(7), 50);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, MODULE], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const killer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  // The pipe stays open and full.
  const [code, signal] = await once(child, 'exit');
  clearTimeout(killer);
  child.stderr.destroy();
  t.deepEqual([code, signal], [7, null]);
});
