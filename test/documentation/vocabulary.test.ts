/** Checks the vocabulary of ARCHITECTURE.md against the names in the code. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/** The repository; tests run from `dist/test`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Words that were replaced, each with its replacement. */
const RETIRED: Readonly<Record<string, string>> = {
  dear: 'expensive',
  dearer: 'more expensive',
  dearest: 'most expensive',
  toll: 'cost per second',
  outdo: 'dominate',
  outdoes: 'dominates',
  outdone: 'dominated',
  mate: 'other stop of the station',
  mates: 'other stops of the station',
  farewell: 'drop guard',
  refine: 'optimize transfers',
  tighten: 'move waits',
  telling: 'render',
  tell: 'report, print or send',
  tells: 'reports, prints or sends',
  told: 'reported, printed or sent',
  behind: 'after',
  asked: 'requested',
  figures: 'measurements or metrics',
  anew: 'again',
  bare: 'unquoted, or without what is missing',
  crew: 'serving processes',
  meet: 'reconcile',
};

/** Items that files of other folders can use: Rust's `pub` and TypeScript's `export`. */
const PUBLIC =
  /^\s*(?:pub(?:\([a-z]+\))? (?:const |unsafe )*(?:fn|struct|enum|trait|type|mod|const|static)|export (?:async |abstract |default )*(?:function|class|const|interface|type|enum)) (\w+)/gm;

/** Columns of a table are declared by a macro (`pub struct Patterns in Timetable`), which [`PUBLIC`] matches too. */
function publicNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const folder of ['crates', 'src']) {
    for (const entry of readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(rs|tsx?)$/.test(entry.name) || /[\\/]tests([\\/]|$)/.test(entry.parentPath)) continue;
      const file = path.join(entry.parentPath, entry.name);
      for (const [, name] of readFileSync(file, 'utf8').matchAll(PUBLIC))
        names.set(String(name), path.relative(ROOT, file));
    }
  }
  return names;
}

const NAMES = publicNames();

/** `someName`, `some_name`, `SomeName` and `SOME_NAME` as some, name. */
function words(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
}

test('every name in the vocabulary is a public name of the code', (t) => {
  const text = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const section = /## Vocabulary\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Word'));
  t.true(rows.length > 15);
  for (const row of rows) {
    const column = row.split('|').at(-2) ?? '';
    const found = [...column.matchAll(/`(\w+)`/g)].map(([, name]) => String(name));
    t.true(found.length > 0, `no name in: ${row}`);
    for (const name of found) t.true(NAMES.has(name), `${name} is no public name`);
  }
});

test('no public name has a word that the vocabulary replaced', (t) => {
  const wrong = [...NAMES].flatMap(([name, file]) =>
    words(name)
      .filter((word) => Object.hasOwn(RETIRED, word))
      .map((word) => `${file}: ${name} (say ${RETIRED[word]})`),
  );
  t.deepEqual(wrong, []);
});
