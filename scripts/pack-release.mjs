// Makes the tarballs of a release: `trestle` and a package with the addon for each platform, bound by its
// optionalDependencies as napi-rs does it. The checkout stays as it is.
//
//   node scripts/pack-release.mjs --output DIR [--artifacts DIR] [--partial]
//
// DIR of the artifacts holds `trestle.PLATFORM.node`, anywhere below it; by default only the checkout's own addon is
// taken. Each platform of package.json has to have one; with --partial those that have none are left out. The TypeScript
// has to be compiled (`npm run prepack`). Prints the paths of the tarballs, `trestle` last: the order to publish them in.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compactCode } from './compact-code.mjs';
import { leadToRepository } from './packed-links.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAPI = path.join(ROOT, 'node_modules/@napi-rs/cli/dist/cli.js');
const ADDON = /^trestle\.[\w-]+\.node$/;
/** Bytes of an addon. The one that `.ci/run` compiles for tests, which also checks itself, is never released. */
const MOST = process.env.ADDON_FOR_TESTS === 'true' ? 15_000_000 : 12_000_000;
/** What napi's loader tries for one platform: the addon beside it, then the package. */
const TRIES =
  /try \{\s+return require\('\.\/trestle\.([\w-]+)\.node'\)[\s\S]+?return binding\s+\} catch \(e\) \{[^}]+\}/g;

const { values: options } = parseArgs({
  options: { output: { type: 'string' }, artifacts: { type: 'string' }, partial: { type: 'boolean', default: false } },
});
if (options.output === undefined) throw new Error('--output is missing');

/** Runs a program and returns what it prints. */
function run(cwd, program, ...args) {
  // npm is a script there.
  const shell = process.platform === 'win32';
  const { status, stdout, error } = spawnSync(program, args, {
    cwd,
    shell,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} failed\n${error?.message ?? stdout}`);
}

/** Packs a folder; returns the path of the tarball. */
function pack(folder, output) {
  const said = run(folder, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', output);
  return path.join(output, said.trim().split('\n').at(-1));
}

function findAddons(folder, isDeep) {
  return readdirSync(folder, { recursive: isDeep, encoding: 'utf8' })
    .filter((name) => ADDON.test(path.basename(name)))
    .map((name) => path.join(folder, name));
}

/** Unpacks what `npm pack` takes of the checkout, and puts the addons beside it, where napi looks for them. */
function stage(folder, addons) {
  const tarball = pack(ROOT, folder);
  run(folder, 'tar', '-xzf', path.basename(tarball));
  const root = path.join(folder, 'package');
  change(root, (description) => {
    // For checkouts: nothing builds where a package is installed.
    delete description.scripts;
    delete description.devDependencies;
  });
  mkdirSync(path.join(root, 'artifacts'));
  for (const addon of addons) cpSync(addon, path.join(root, 'artifacts', path.basename(addon)));
  return root;
}

/** Refuses addons that are too large for their packages. */
function checkSizes(addons) {
  const tooLarge = addons.filter((addon) => statSync(addon).size > MOST);
  if (tooLarge.length > 0) throw new Error(`larger than ${MOST} bytes: ${tooLarge.join(', ')}`);
}

/** Removes the platforms without an addon from the package description. */
function keepPlatforms(root, addons) {
  const names = new Set(addons.map((addon) => path.basename(addon)));
  change(root, ({ napi }) => {
    napi.targets = napi.targets.filter((target) => names.has(`${napi.binaryName}.${platformOf(root, target)}.node`));
  });
  rmSync(path.join(root, 'npm'), { recursive: true });
}

/** Removes the platforms without a package from the loader, half of whose text they are. */
function shortenLoader(root, platforms) {
  const file = path.join(root, 'index.js');
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(TRIES)].map(([, platform]) => platform);
  if (!platforms.every((platform) => found.includes(platform))) throw new Error('the loader has another form');
  writeFileSync(
    file,
    text.replace(TRIES, (tries, platform) => (platforms.includes(platform) ? tries : '')),
  );
}

function change(root, how) {
  const file = path.join(root, 'package.json');
  const description = JSON.parse(readFileSync(file, 'utf8'));
  how(description);
  writeFileSync(file, `${JSON.stringify(description, null, 2)}\n`);
}

/** The name of a platform's package, which napi has made a folder of. */
function platformOf(root, target) {
  return readdirSync(path.join(root, 'npm')).find((platform) =>
    readFileSync(path.join(root, 'npm', platform, 'README.md'), 'utf8').includes(`**${target}**`),
  );
}

const output = path.resolve(options.output);
mkdirSync(output, { recursive: true });
const temporary = mkdtempSync(path.join(tmpdir(), 'trestle-pack-'));
try {
  const addons = options.artifacts === undefined ? findAddons(ROOT, false) : findAddons(options.artifacts, true);
  checkSizes(addons);
  const root = stage(temporary, addons);
  const napi = (...args) => run(root, process.execPath, NAPI, ...args);
  napi('create-npm-dirs');
  const supported = readdirSync(path.join(root, 'npm'));
  if (options.partial) {
    keepPlatforms(root, addons);
    napi('create-npm-dirs');
  }
  // Both refuse to leave a platform without its addon.
  napi('artifacts');
  napi('pre-publish', '--tag-style', 'npm', '--skip-optional-publish', '--no-gh-release');
  // After napi, which looks for its versions in the code as it wrote it.
  shortenLoader(root, supported);
  for (const code of ['dist/src', 'index.js']) await compactCode(path.join(root, code));
  await leadToRepository(root, ROOT);
  const platforms = readdirSync(path.join(root, 'npm')).map((name) => path.join(root, 'npm', name));
  for (const platform of platforms) cpSync(path.join(ROOT, 'LICENSE'), path.join(platform, 'LICENSE'));
  for (const folder of [...platforms, root]) console.log(pack(folder, output));
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
