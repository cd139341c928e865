/** The table of docs/command-line.md lists every command. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { createProgram } from '../../src/cli/arguments.js';
import { ROOT } from './pages.js';

test('every command has a row', (t) => {
  const text = readFileSync(path.join(ROOT, 'docs/command-line.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `trestle ([a-z-]+)/gm)].map(([, name]) => name);
  const commands = createProgram().commands.map((command) => command.name());
  t.deepEqual(
    commands.filter((name) => name !== 'help' && !listed.includes(name)),
    [],
  );
});
