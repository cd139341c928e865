/** Ports of the programs that tests start. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { freePort } from './support/free-port.js';

/** Another process that tries this port before others. */
const OTHER = `
  const [, port, module] = process.argv;
  const { random } = Math;
  let tries = 0;
  Math.random = () => (tries++ === 0 ? (Number(port) - 20_000 + 0.5) / 10_000 : random());
  const { freePort } = await import(module);
  process.stdout.write(String(await freePort()) + ' ' + tries);
`;

test('a port is given to one test only, also while no program listens there', async (t) => {
  const port = await freePort();
  const module = new URL('./support/free-port.js', import.meta.url).href;
  const args = ['--input-type=module', '--eval', OTHER, String(port), module];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [other, tries] = stdout.split(' ').map(Number);
  t.not(other, port);
  t.true(Number(tries) > 1, 'it asked for the same port first');
});
