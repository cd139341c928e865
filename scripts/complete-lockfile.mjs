// Runs after every change of the dependencies (npm's `dependencies` script). Adds the platform packages to
// package-lock.json that `npm install` left out: a registry mirror that lacks the binaries of other platforms makes npm
// drop their entries, and `npm ci` then refuses the file everywhere.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../package-lock.json', import.meta.url);

/** Words in the names of packages for one platform. */
const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'win32'];
const PROCESSORS = {
  eabi: 'arm',
  gnueabihf: 'arm',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  x64: 'x64',
  wasm32: 'wasm32',
};
const LIBRARIES = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl' };

/** Where npm would look for `name` from the package at `from`: the nearest folder upwards that has it. */
function installed(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place]) return true;
    if (folder === '') return false;
  }
}

/** The lock entry of a platform package, told by its name. */
function entryOf(name, version, dev) {
  const words = name.split('-');
  const system = SYSTEMS.find((word) => words.includes(word));
  const processor = words.map((word) => PROCESSORS[word]).find(Boolean);
  const library = system === 'linux' ? words.map((word) => LIBRARIES[word]).find(Boolean) : undefined;
  if (!processor) throw new Error(`${name}: for which platform is it?`);
  return {
    version,
    cpu: [processor],
    ...(dev && { dev: true }),
    ...(library && { libc: [library] }),
    optional: true,
    ...(system && { os: [system] }),
  };
}

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
let added = 0;
for (const [place, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    // A range cannot be resolved without the registry; platform packages are always pinned.
    if (installed(lock.packages, place, name) || !/^\d+\.\d+\.\d+/.test(version)) continue;
    lock.packages[`node_modules/${name}`] = entryOf(name, version, dev);
    added += 1;
  }
}
if (added > 0) {
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(lock, undefined, 2)}\n`);
  console.log(`package-lock.json: ${added} platform packages added`);
}
