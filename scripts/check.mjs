// Runs every check of the project, continues after failures, and prints how many tests passed and failed.
// `node scripts/check.mjs biome ava` runs only the named steps. With CI=true a skipped test counts as failed.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { avaCounts, cargoCounts, cargoFailures } from './test-counts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Passes on what a step writes. */
const pass = (stream, chunk) => process[stream].write(chunk);

/** Runs a command and shows its output; resolves with whether it succeeded, and all that it wrote. */
function run(show, command, args, env = {}) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32';
    const child = spawn(command, args, { cwd: ROOT, shell, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of ['stdout', 'stderr']) {
      child[stream].on('data', (chunk) => {
        output += chunk;
        show(stream, chunk);
      });
    }
    child.on('error', (error) => resolve({ ok: false, output: String(error) }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/** Builds the addon unless it is up to date, and checks that the committed loader and types are those it generates. */
async function addon(show) {
  const { ok, output } = await run(show, 'npm', ['run', '--silent', 'ensure']);
  const changed = ['index.d.ts', 'index.js'].filter((file) => {
    const { status } = spawnSync('git', ['diff', '--quiet', 'HEAD', '--', file], { cwd: ROOT });
    return status === 1;
  });
  for (const file of changed) show('stderr', `${file} differs from what the addon generates: commit the new one\n`);
  return { ok: ok && changed.length === 0, output };
}

const cargo = (show, args, env) => run(show, 'cargo', args, env);
const LINTS = ['--', '-D', 'warnings'];

/** Resolves when the Rust tests are compiled: cargo is then free while they run. */
let releaseCargo;
const cargoIsFree = new Promise((resolve) => {
  releaseCargo = resolve;
});

async function cargoTest(show) {
  const watch = (stream, chunk) => {
    if (/^ +Running /m.test(stripVTControlCharacters(`${chunk}`))) releaseCargo();
    show(stream, chunk);
  };
  const outcome = await cargo(watch, ['test', '--locked', '--workspace', '--no-fail-fast']);
  releaseCargo();
  return outcome;
}

const STEPS = [
  ['cargo fmt', (show) => cargo(show, ['fmt', '--all', '--check'])],
  ['clippy', (show) => cargo(show, ['clippy', '--locked', '--workspace', '--all-targets', ...LINTS])],
  ['cargo test', cargoTest, cargoCounts, cargoFailures],
  [
    'cargo doc',
    (show) => cargo(show, ['doc', '--locked', '--workspace', '--no-deps'], { RUSTDOCFLAGS: '-D warnings' }),
  ],
  ['addon', addon],
  // The compiler is a program in Go, and ends before it has much garbage to collect.
  ['tsc', (show) => run(show, 'npm', ['run', '--silent', 'build:ts'], { GOGC: 'off' })],
  ['biome', (show) => run(show, 'npm', ['run', '--silent', 'lint'])],
  ['ava', (show) => run(show, 'npm', ['exec', '--no', 'ava']), avaCounts],
];

/** Steps that run in the background, one after the other, because other steps often leave a processor idle. */
const IN_BACKGROUND = ['addon', 'tsc', 'biome', 'cargo doc'];

/** Runs a step; resolves with its outcome and the milliseconds that it took. */
async function timed(step, show) {
  const started = Date.now();
  return { ...(await step(show)), took: Date.now() - started };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STEPS.some(([step]) => step === name));
if (unknown.length > 0) throw new Error(`no such step: ${unknown.join(', ')}`);

const isWanted = ([name]) => wanted.length === 0 || wanted.includes(name);
const steps = STEPS.filter(isWanted);
if (!steps.some(([name]) => name === 'cargo test')) releaseCargo();

/** The outcome of each step in the background; what it writes is shown when it is its turn. */
const background = new Map();
let previous = Promise.resolve();
for (const [name, step] of steps.filter(([name]) => IN_BACKGROUND.includes(name))) {
  const written = [];
  const start = previous.then(() => (name === 'cargo doc' ? cargoIsFree : undefined));
  const outcome = start.then(() => timed(step, (...part) => written.push(part)));
  background.set(name, { outcome, written });
  previous = outcome;
}

let passed = 0;
let failed = 0;
const broken = [];
// Thousands of lines may follow a failed step, so what its tests printed is repeated at the end.
const repeated = [];
for (const [name, step, counts, failures] of steps) {
  console.log(`\n=== ${name}`);
  const early = background.get(name);
  const { ok: succeeded, output, took } = await (early?.outcome ?? timed(step, pass));
  for (const part of early?.written ?? []) pass(...part);
  const plain = stripVTControlCharacters(output);
  const found = counts?.(plain) ?? { passed: 0, failed: 0 };
  const skipped = process.env.CI === 'true' ? (found.skipped ?? 0) : 0;
  if (skipped > 0) console.error(`${skipped} tests were skipped; where CI=true all have to run`);
  found.failed += skipped;
  const ok = succeeded && skipped === 0;
  passed += found.passed;
  // A step that fails without a failed test, for example because it did not compile, counts as one.
  failed += ok ? found.failed : Math.max(1, found.failed);
  if (!ok) {
    broken.push(name);
    repeated.push(...(failures?.(plain) ?? []));
  }
  console.log(`=== ${name}: ${ok ? 'ok' : 'FAILED'} (${(took / 1000).toFixed(1)} s)`);
}
for (const text of repeated) console.log(`\n--- ${text}`);
if (broken.length > 0) console.log(`\nfailed: ${broken.join(', ')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = broken.length > 0 ? 1 : 0;
