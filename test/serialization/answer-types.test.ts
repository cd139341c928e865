/** The types of the answers that programs import are those that the server is compiled with. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WRITTEN = 'dist/types/serialization/answers/index.d.ts';

/**
 * A program that compiles when each type of the server is one of the package with the same values, and the other way.
 */
function comparison(names: readonly string[]): string {
  const lines = names.map((name) => `const ${name}: Same<Written.${name}, Server.${name}> = true;`);
  return `import type * as Written from '../../${WRITTEN.replace('.d.ts', '.js')}';
import type * as Server from '../../src/serialization/answers/index.js';
type Within<A, B> = [A] extends [B] ? true : false;
type Same<A, B> = [Within<A, B>, Within<B, A>] extends [true, true] ? true : false;
${lines.join('\n')}
void [${names.join(', ')}];
`;
}

async function typesOfTheServer(): Promise<string[]> {
  const folder = path.join(ROOT, 'src/serialization/answers');
  const index = await readFile(path.join(folder, 'index.ts'), 'utf8');
  const modules = [...index.matchAll(/^export type \* from '\.\/(.+)\.js'/gm)].map(([, name]) => `${name}.ts`);
  const texts = await Promise.all([...modules, 'index.ts'].map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/^export type ([A-Z]\w*) =/gm)].map(([, name]) => name ?? ''));
}

/** The errors of the compiler; empty when all is right. */
async function complaintsOf(t: { teardown(undo: () => Promise<void>): void }, code: string): Promise<string> {
  const folder = await mkdtemp(path.join(ROOT, 'dist/answer-types-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'comparison.ts');
  await writeFile(file, code);
  const settings = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck'];
  const language = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, ...settings, ...language, file], { cwd: ROOT }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

test('the written types of the answers are those of their schemas', async (t) => {
  const names = await typesOfTheServer();
  t.true(names.length > 60);
  t.is(await complaintsOf(t, comparison(names)), '');
});

test('a type that differs is noticed', async (t) => {
  const code = comparison(['Place']).replace('Server.Place', "Omit<Server.Place, 'stopIndex'> & { stopIndex: number }");
  t.regex(await complaintsOf(t, code), /comparison\.ts\(\d+,\d+\): error TS2322/);
});

test('the written types are a reference: descriptions are comments, and no library is needed', async (t) => {
  const text = await readFile(path.join(ROOT, WRITTEN), 'utf8');
  t.regex(text, /\/\*\* A line \*\/\nexport interface EncodedPolyline \{/);
  t.regex(text, /\n {2}\/\*\* Epoch milliseconds \*\/\n {2}arrival\?: number;/);
  t.notRegex(text, /import/);
});
