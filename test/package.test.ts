/** The package installs from any registry, on any platform. */

import { readFileSync } from 'node:fs';
import test from 'ava';

interface LockEntry {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
const entries = Object.entries(lock.packages as Record<string, LockEntry>);

test('the lock file does not name hosts', (t) => {
  for (const [place, { resolved = '' }] of entries) t.regex(resolved, /^$|^https:\/\/registry\.npmjs\.org\//, place);
});

test('the lock file holds the packages of every platform', (t) => {
  const names = new Set(entries.map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 13)));
  for (const [place, { optionalDependencies = {} }] of entries) {
    for (const name of Object.keys(optionalDependencies)) t.true(names.has(name), `${place} needs ${name}`);
  }
});
