/** `docs/dependencies.md` is true: it names what is installed, and what is loaded when. */

import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/** The repository; tests run from `dist/test`. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Names of the packages of the page by when they are loaded. */
const PAGE = new Map<string, string[]>();
for (const [, name = '', loaded = ''] of readFileSync(path.join(ROOT, 'docs/dependencies.md'), 'utf8').matchAll(
  /^\| `([^`]+)` \|.*\| ([a-z ]+) \|$/gm,
)) {
  PAGE.set(loaded, [...(PAGE.get(loaded) ?? []), name]);
}

/** Imports of values at the start of a file, and those that are made later. */
const AT_ONCE = /^(?:import|export)(?! type)\s[^;]*?from '([^']+)';/gms;
const LATER = /\bimport\('([^']+)'\)|new URL\('(\.[^']+\.js)', import\.meta\.url\)/g;

/** Packages that loading these files of `src` loads, at once or with all that they import later. */
function loadedPackages(entries: readonly string[], later: boolean): string[] {
  const packages = new Set<string>();
  const files = entries.map((entry) => path.join(ROOT, 'src', entry));
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const imports = [...text.matchAll(AT_ONCE), ...(later ? text.matchAll(LATER) : [])];
    for (const [, specifier = '', thread] of imports.map(([all, first, second]) => [all, first ?? second, second])) {
      const target = path.join(path.dirname(file), (thread ?? specifier).replace(/\.js$/, '.ts'));
      if (specifier.startsWith('#') || specifier.startsWith('node:')) continue;
      if (!specifier.startsWith('.')) packages.add(packageOf(specifier));
      else if (!files.includes(target)) files.push(target);
    }
  }
  return [...packages].sort();
}

/** The package of an import: `csv-parse/sync` belongs to `csv-parse`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const page = (...loaded: string[]) => loaded.flatMap((when) => PAGE.get(when) ?? []).sort();

test('the page names the packages that are installed', (t) => {
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  t.deepEqual([...PAGE.values()].flat().sort(), Object.keys(dependencies).sort());
  t.deepEqual([...PAGE.keys()], ['at startup', 'by commands', 'when needed', 'never']);
});

test('an embedded server starts with what the page says, and never loads what is for commands', (t) => {
  t.deepEqual(loadedPackages(['server/embed.ts'], false), page('at startup'));
  t.deepEqual(loadedPackages(['server/embed.ts'], true), page('at startup', 'when needed'));
});

/** What a server loads with a terminal, and with traces. */
const OF_COMMANDS = [
  'cli-progress',
  'pino-pretty',
  ...page('by commands').filter((name) => /^@opentelemetry/.test(name)),
];

test('a server starts without what most servers never need', (t) => {
  const supervisor = ['cli/main.ts', 'cli/serve/run-server.ts'];
  const answering = loadedPackages(supervisor, false).filter((name) => /koa/.test(name));
  t.deepEqual(answering, [], 'a process that only supervises others answers no requests');
  const loaded = loadedPackages([...supervisor, 'server/app.ts'], false);
  t.deepEqual(loaded, [...page('at startup'), 'commander'].sort());
  const ever = loadedPackages(['cli/serve/run-server.ts'], true);
  t.deepEqual(ever, [...page('at startup', 'when needed'), ...OF_COMMANDS].sort());
});

test('the library loads the addon and nothing else', (t) => {
  t.deepEqual(loadedPackages(['native/library.ts'], true), []);
  const loader = readFileSync(path.join(ROOT, 'index.js'), 'utf8');
  const loaded = [...loader.matchAll(/^import .* from '([^']+)'|\brequire\('([^'@.][^']*)'\)/gm)];
  const others = loaded.map(([, first, second]) => first ?? second ?? '').filter((name) => !isBuiltin(name));
  t.deepEqual(others, []);
});
