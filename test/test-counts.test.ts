/** The last line of all checks gives the numbers of passed and failed tests. */

import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'ava';

interface Counts {
  passed: number;
  failed: number;
  skipped?: number;
}

const FILE = fileURLToPath(new URL('../../scripts/test-counts.mjs', import.meta.url));
const { avaCounts, cargoCounts, cargoFailures } = (await import(pathToFileURL(path.resolve(FILE)).href)) as Record<
  'avaCounts' | 'cargoCounts',
  (output: string) => Counts
> & { cargoFailures: (output: string) => string[] };

const LISTED = `
  ✔ graphql › pace › elements keep their order
  ✔ registry › state › reload (102ms)
    ℹ 5 tests passed elsewhere
`;

test('AVA: all passed', (t) => {
  t.deepEqual(avaCounts(`${LISTED}  ─\n\n  2 tests passed\n`), { passed: 2, failed: 0, skipped: 0 });
});

test('AVA: some were skipped', (t) => {
  const output = `${LISTED}  - browser › client › plans\n  ─\n\n  2 tests passed\n  1 test skipped\n`;
  t.deepEqual(avaCounts(output), { passed: 2, failed: 0, skipped: 1 });
});

test('AVA: some failed, and those that passed are not in the summary', (t) => {
  const output = `${LISTED}  ✘ [fail]: http › plan › late Not equal\n  ✔ [expected fail] old\n  ─\n
  registry › state\n\n  1 test failed\n  1 uncaught exception\n`;
  t.deepEqual(avaCounts(output), { passed: 2, failed: 2, skipped: 0 });
});

test('AVA: a hook failed', (t) => {
  t.deepEqual(avaCounts('  ✘ [fail]: http › plan › before hook no\n  ─\n\n  1 hook failed\n'), {
    passed: 0,
    failed: 1,
    skipped: 0,
  });
});

test('cargo: one summary for each binary', (t) => {
  const line = (passed: number, failed: number) =>
    `test result: ok. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out`;
  t.deepEqual(cargoCounts(`${line(3, 0)}\nrunning 2 tests\n${line(1, 1)}\n`), { passed: 4, failed: 1 });
});

test('cargo: what failed tests printed', (t) => {
  const output = `test a ... ok\ntest b ... FAILED\ntest c::d ... FAILED\n\nfailures:\n\n---- b stdout ----
\nthread 'b' panicked at crates/x.rs:1:2:\nnot equal\n\n---- c::d stdout ----\n${'x'.repeat(2000)}y\n\n\nfailures:\n    b\n    c::d\n
test result: FAILED. 1 passed; 2 failed; 0 ignored\n`;
  t.deepEqual(cargoFailures(output), [
    "b\nthread 'b' panicked at crates/x.rs:1:2:\nnot equal",
    `c::d\n${'x'.repeat(1000)} […] ${'x'.repeat(999)}y`,
  ]);
});
