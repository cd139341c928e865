/** The examples in the types of the package compile and run, and nothing important is without one. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { PageRunner, SampleTown } from './page-runner.js';
import { ROOT } from './pages.js';

/** Where types are described to users. */
const TYPES = [
  'index.d.ts',
  'dist/types/native/errors.d.ts',
  'dist/types/native/library.d.ts',
  'dist/types/server/embed.d.ts',
];

/** Every name that an example uses without making it. */
const BEFORE = `
import * as trestle from 'trestle';
import { createApp } from 'trestle/server';
const { Graph, TrestleError, configurePool, decodeVehicles, indicator } = trestle;
const { inspectorLayers, poolState, stylePalette, vectorTileLayers } = trestle;

const graph = await Graph.open('graphs/default/Graph.obj');
const request: trestle.PlanRequest = {
  from: { lat: 48.0056, lon: 15.0306 },
  to: { lat: 48.0304, lon: 15.0714 },
  epochSeconds: Date.parse('2026-11-23T07:00:00Z') / 1000,
  modes: ['TRANSIT', 'WALK'],
};
const surface = await graph.surface(request, { cutoffSeconds: 3600 });

async function run(place: string, example: () => Promise<void>): Promise<void> {
  try {
    await example();
  } catch (error) {
    console.error(place, error);
    process.exitCode = 1;
  }
}
`;

interface Example {
  readonly place: string;
  readonly code: string;
}

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

function examples(file: string): Example[] {
  const text = textOf(file);
  return [...text.matchAll(/@example\n((?: *\*(?: .*)?\n)+)/g)].map(({ 1: body = '', index }) => ({
    place: `${file}:${text.slice(0, index).split('\n').length}`,
    code: body.replaceAll(/^ *\* ?/gm, ''),
  }));
}

/** One program of all examples, each in a function of its own, so that types are checked once. */
function programOf(all: readonly Example[]): string {
  const runs = all.map(({ place, code }) => `await run('${place}', async () => {\n${code}});\n`);
  return BEFORE + runs.join('');
}

let town: SampleTown;
test.before(async () => {
  town = await SampleTown.make();
});
test.after.always(() => town?.remove());

for (const file of TYPES) {
  test(`the examples of ${file} run`, async (t) => {
    const all = examples(file);
    t.true(all.length > 0);
    const runner = await PageRunner.start(town);
    t.teardown(() => runner.close());
    const printed = await runner.program(programOf(all));
    t.true(printed.trim().split('\n').length >= all.length / 2, printed);
  });
}

test('an example that fails fails the test', async (t) => {
  const runner = await PageRunner.start(town);
  t.teardown(() => runner.close());
  const failing = (code: string) => t.throwsAsync(runner.program(programOf([{ place: 'here:7', code: `${code}\n` }])));
  t.regex((await failing("await Graph.open('missing.obj');"))?.message ?? '', /here:7 TrestleError/);
  t.regex((await failing('console.log(request.epochMinutes);'))?.message ?? '', /TS2551|does not exist/);
});

/** Each declaration of index.d.ts that has a comment, with it. */
function described(): Array<{ comment: string; declaration: string }> {
  const found = textOf('index.d.ts').matchAll(/^ *\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n((?:(?!\n *\/\*)[^;{])+)/gm);
  return [...found].map(({ 1: comment = '', 2: declaration = '' }) => ({ comment, declaration }));
}

test('every class, every exported function and every method with a promise has an example', (t) => {
  const wanted = described().filter(({ declaration }) => {
    return /^export declare (class|function)/.test(declaration) || /^ {2}\S[\s\S]*\): Promise</.test(declaration);
  });
  t.true(wanted.length > 40, String(wanted.length));
  t.deepEqual(
    wanted.filter(({ comment }) => !comment.includes('@example')).map(({ declaration }) => declaration),
    [],
  );
});

test('everything in index.d.ts that is exported is described', (t) => {
  const text = textOf('index.d.ts');
  const nameOf = (declaration: string) => /^export (?:declare )?\w+ (\w+)/.exec(declaration)?.[1];
  const known = new Set(described().map(({ declaration }) => nameOf(declaration)));
  const all = text.match(/^export .+/gm) ?? [];
  t.true(all.length > 100);
  t.deepEqual(
    all.filter((line) => !known.has(nameOf(line))),
    [],
  );
});

/** The pixels of images hold minutes. */
const IMAGES = /tile|raster|pixel|bytes|reached in each minute|whole minutes/i;

test('all times in index.d.ts are in seconds', (t) => {
  const other = described()
    .map(({ comment, declaration }) => ({ comment: comment.replace(/@example[\s\S]*/, ''), declaration }))
    .filter(({ comment }) =>
      /(^|epoch |in |of |[\d-] )(milliseconds|ms|minutes|hours)\b/im.test(comment.replaceAll(/^[ *]+/gm, '')),
    )
    .filter(({ comment }) => !IMAGES.test(comment));
  t.deepEqual(other, []);
  t.notRegex(textOf('index.d.ts'), /^ +\w+(Ms|Minutes|Hours|Millis\w*|[mM]inutes|[hH]ours)\??:/m);
});
