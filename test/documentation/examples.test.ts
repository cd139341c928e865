/** The examples in the types of the package compile and run. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { PageRunner, SampleTown } from './page-runner.js';
import { ROOT } from './pages.js';

/** Where types are described to users. */
const TYPES = ['index.d.ts', 'dist/types/native/library.d.ts', 'dist/types/server/embed.d.ts'];

/** Every name that an example uses without making it. */
const BEFORE = `
import { Graph, TrestleError } from 'trestle';
import { createApp } from 'trestle/server';
`;
const GRAPH = "const graph = await Graph.open('graphs/default/Graph.obj');\n";

interface Example {
  readonly place: string;
  readonly code: string;
}

function examples(file: string): Example[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(/@example\n((?: *\* .*\n)+)/g)].map(({ 1: body = '', index }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    code: body.replaceAll(/^ *\* /gm, ''),
  }));
}

let town: SampleTown;
test.before(async () => {
  town = await SampleTown.make();
});
test.after.always(() => town?.remove());

test('there are examples', (t) => {
  for (const file of TYPES) t.true(examples(file).length > 0, file);
});

for (const { place, code } of TYPES.flatMap(examples)) {
  test(`${place} runs`, async (t) => {
    const runner = await PageRunner.start(town);
    t.teardown(() => runner.close());
    const graph = /\bconst graph\b/.test(code) || !/\bgraph\b/.test(code) ? '' : GRAPH;
    await t.notThrowsAsync(runner.program(BEFORE + graph + code));
  });
}
