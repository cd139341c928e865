/** index.d.ts is in the order of a reference. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { ROOT } from './pages.js';

const { groupTypes } = await import(new URL('../../../scripts/group-types.mjs', import.meta.url).href);
const { GROUPS, METHODS } = await import(new URL('../../../scripts/types-contents.mjs', import.meta.url).href);

test('index.d.ts has its groups in their order, and in each what belongs to it', (t) => {
  const text = readFileSync(path.join(ROOT, 'index.d.ts'), 'utf8');
  const names = [...text.matchAll(/^export (?:declare )?\w+ (\w+)/gm)].map(([, name]) => name);
  t.deepEqual(
    names,
    GROUPS.flatMap((group: { names: string[] }) => group.names),
  );
  const headings = [...text.matchAll(/^\/\/ -{70,}\n\/\/ (.+)\n\/\/ -{70,}$/gm)].map(([, heading]) => heading);
  t.deepEqual(
    headings,
    GROUPS.map(({ heading }: { heading: string }) => heading),
  );
  const graph = /^export declare class Graph \{\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? '';
  const methods = [...graph.matchAll(/^ {2}(?:static )?(\w+)\(/gm)].map(([, name]) => name);
  t.deepEqual(
    methods,
    METHODS.Graph.flatMap((group: { names: string[] }) => group.names),
  );
});

const ALL = GROUPS.flatMap(({ names }: { names: string[] }) => names);
const declared = (names: readonly string[]) =>
  `/* head */\n\n${names.map((name) => `/** About ${name}. */\nexport interface ${name} {\n  a: number\n}\n`).join('\n')}`;

test('a comment goes with its declaration', (t) => {
  const sorted = groupTypes(
    declared(
      ALL.toReversed()
        .filter((name: string) => !(name in METHODS))
        .concat(Object.keys(METHODS)),
    ),
  );
  t.regex(sorted, /\/\*\* About Coordinate\. \*\/\nexport interface Coordinate \{\n {2}a: number\n\}/);
  t.true(sorted.indexOf('interface WorkOptions') < sorted.indexOf('interface Coordinate'));
});

test('a comment on a member stands before it, also in a list of alternatives', (t) => {
  // As napi-rs writes them.
  const union =
    "export type Graph =\n  | { type: 'a'; /** Seconds. */\nheadway: number; /** Not a station. */\nstop: string }\n";
  const sorted = groupTypes(declared(ALL).replace(/export interface Graph \{[^}]*\}\n/, union));
  t.regex(sorted, /type: 'a';\n +\/\*\* Seconds\. \*\/\nheadway: number;\n +\/\*\* Not a station\. \*\/\nstop: string/);
  t.notRegex(readFileSync(path.join(ROOT, 'index.d.ts'), 'utf8'), /\S \/\*\*|\*\/ *;/);
});

test('comments that napi-rs takes as raw texts of Rust, from inside macros, are written without their quotes', (t) => {
  const raw = declared(ALL).replace('/** About Graph. */', '/** r" About it. */\n/**\n * r#" About "it". "#\n */');
  t.regex(groupTypes(raw), /\/\*\* About it\. \*\/\n\/\*\*\n \* About "it"\. *\n \*\/\nexport interface Graph/);
});

test('a declaration without a group, and one that does not exist, are refused', (t) => {
  t.throws(() => groupTypes(declared([...ALL, 'Other'])), { message: /in no group: .*Other/ });
  t.throws(() => groupTypes(declared(ALL.slice(1))), { message: /Graph does not exist/ });
});
