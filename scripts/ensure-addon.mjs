// Builds the native addon when it is missing or older than its sources. Runs on `npm install`, `npm start` and `npm test`.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
// The addon that ships; or, for continuous integration, one that is compiled as the Rust tests are. So that cargo compiles
// each crate once for both, it has to choose the features that all crates and the examples need.
const SCRIPT = process.env.ADDON_FOR_TESTS === 'true' ? 'build:tested' : 'build:native';
const SOURCES = ['crates', 'Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml'];

/** Modification time of the newest file at or below `path`, 0 when there is none. */
function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function builtAt() {
  const addons = readdirSync(ROOT).filter((name) => name.endsWith('.node'));
  return Math.max(0, ...addons.map((name) => statSync(join(ROOT, name)).mtimeMs));
}

function runs(command, ...args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function fail(message) {
  console.error(`trestle: ${message}`);
  process.exit(1);
}

const built = builtAt();
if (built > 0 && SOURCES.every((path) => newest(join(ROOT, path)) <= built)) process.exit(0);

if (!runs('cargo', '--version')) {
  // A packaged installation brings its addon along and needs no toolchain.
  if (built > 0) process.exit(0);
  fail('cannot build the native addon: cargo was not found; install Rust 1.90 or newer from https://rustup.rs');
}
const linker =
  process.platform === 'win32' ? undefined : ['cc', 'gcc', 'clang'].find((name) => runs(name, '--version'));
if (process.platform !== 'win32' && !linker) {
  fail('cannot build the native addon: no C compiler was found to link it; install gcc or clang');
}
console.error('trestle: building the native addon (a few minutes the first time) …');
const build = spawnSync('npm', ['run', '--silent', SCRIPT], {
  cwd: ROOT,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (build.status !== 0) fail('the native addon could not be built; see the messages above');
