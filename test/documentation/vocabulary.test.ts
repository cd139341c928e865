/** Checks the vocabulary of ARCHITECTURE.md against the names in the code. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/** The repository; tests run from `dist/test`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Words that were replaced, each with its replacement; `_` is between words that were replaced together. */
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
  former: 'previous or original',
  session: 'login, connection or user',
  promise: 'lower bound',
  promises: 'lower bounds',
  first_come: 'earliest',
  kernel: 'addon or engine',
  likeness: 'appearance',
  fake: 'what it is',
  faked: 'what it is',
};

/** Names that have a retired word in another sense, each with where: a promise of JavaScript, a published member. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  Promise: /^src/,
  promise: /^(crates.node|src)/,
  promises: /^src.native/,
  givesPromise: /^src.native/,
  fromBufferPromise: /^src/,
  fromRandomAccessReaderPromise: /^src/,
  openReadStreamPromise: /^src/,
  getPromiseState: /^src.scripting/,
  former: /^src.(publishing|cli.run-publish)/,
};

/** Items that files of other folders can use: Rust's `pub` and TypeScript's `export`. */
const PUBLIC =
  /^\s*(?:pub(?:\([a-z]+\))? (?:const |unsafe )*(?:fn|struct|enum|trait|type|mod|const|static)|export (?:async |abstract |default )*(?:function|class|const|interface|type|enum)) (\w+)/gm;
/** What is not code: comments, the names of Rust's tests, which are sentences, and texts. */
const NOT_CODE = [
  /\/\*[\s\S]*?\*\//g,
  /\/\/.*$/gm,
  /#\[test\]\n(?:\s*#\[.*\n)*\s*fn \w+/g,
  /"(?:[^"\\\n]|\\.)*"/g,
  /'(?:[^'\\\n]|\\.)*'/g,
];

/** The sources, without tests of their own folders. */
function sources(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const folder of ['crates', 'src']) {
    for (const entry of readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(rs|tsx?)$/.test(entry.name) || /[\\/]tests([\\/]|$)/.test(entry.parentPath)) continue;
      const file = path.join(entry.parentPath, entry.name);
      texts.set(path.relative(ROOT, file), readFileSync(file, 'utf8'));
    }
  }
  return texts;
}

const SOURCES = sources();

/** Columns of a table are declared by a macro (`pub struct Patterns in Timetable`), which [`PUBLIC`] matches too. */
const NAMES = new Set([...SOURCES.values()].flatMap((text) => [...text.matchAll(PUBLIC)].map(([, name]) => name)));

/** The names in a source, private ones as well. */
function namesIn(text: string): string[] {
  const code = NOT_CODE.reduce((rest, part) => rest.replaceAll(part, ''), text);
  // Of a template, only the expressions are code.
  const expressions = code.replaceAll(/`[^`]*`/g, (template) => template.replaceAll(/(^|\})[^}]*?(\$\{|$)/g, ' '));
  return expressions.match(/[A-Za-z_]\w*/g) ?? [];
}

/** The retired words in a name. */
function retiredIn(name: string): string[] {
  const parts = `_${words(name).join('_')}_`;
  return Object.keys(RETIRED).filter((word) => parts.includes(`_${word}_`));
}

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

test('names are found wherever they are, and words of texts are not', (t) => {
  const rust =
    'fn one((two, _): T) {\n    for three in "no" {} // not\n}\n#[test]\n#[ignore]\nfn a_test() {}\nenum U { Four }';
  t.deepEqual(namesIn(rust), ['fn', 'one', 'two', '_', 'T', 'for', 'three', 'in', 'enum', 'U', 'Four']);
  const template = '`no \x24{five} no \x24{six.seven}`';
  const script = `class One {\n  #two = 'no';\n  /* not */ three({ four }) {\n    return ${template};\n  }\n}`;
  t.deepEqual(namesIn(script), ['class', 'One', 'two', 'three', 'four', 'return', 'five', 'six', 'seven']);
  t.deepEqual(retiredIn('continuesAnew'), ['anew']);
  t.deepEqual(retiredIn('first_come_first'), ['first_come']);
});

test('no name has a word that the vocabulary replaced', (t) => {
  const wrong = new Set<string>();
  const used = new Set<string>();
  for (const [file, text] of SOURCES) {
    for (const name of namesIn(text)) {
      const retired = retiredIn(name);
      if (retired.length === 0) continue;
      if (ALLOWED[name]?.test(file)) used.add(name);
      else wrong.add(`${file}: ${name} (say ${retired.map((word) => RETIRED[word]).join(', ')})`);
    }
  }
  t.deepEqual([...wrong], []);
  t.deepEqual([...used].sort(), Object.keys(ALLOWED).sort(), 'every allowed name is in use');
});
