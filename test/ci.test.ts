/** Continuous integration fails when something that it should test was not tested. */

import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { isAlive } from './support/is-alive.js';
import { temporaryDirectory } from './support/temporary-directory.js';
import { until } from './support/until.js';

const RUN = fileURLToPath(new URL('../../.ci/run', import.meta.url));
const NEEDS = new URL('./support/needs.js', import.meta.url).href;

/** What the script itself needs. */
const TOOLS = {
  dirname: '/usr/bin/dirname "$1"',
  id: 'echo 0',
  rustc: 'echo a-target',
  setsid: '[ ! -x /usr/bin/setsid ] || exec /usr/bin/setsid "$@"; exec "$@"',
};

const onLinux = process.platform === 'linux' ? test : test.skip;
const onUnix = process.platform === 'win32' ? test.skip : test;

/** Runs the script where only these programs exist; each is a line of shell, and records its name and arguments. */
async function run(t: ExecutionContext, programs: Readonly<Record<string, string>>) {
  const directory = await temporaryDirectory(t);
  const bin = path.join(directory, 'bin');
  const notes = path.join(directory, 'notes');
  await mkdir(bin);
  await symlink('/bin/sh', path.join(bin, 'sh'));
  for (const [name, code] of Object.entries({ ...TOOLS, ...programs })) {
    const file = path.join(bin, name);
    await writeFile(file, `#!/bin/sh\necho "${name} $*" CI=$CI >>'${notes}'\n${code}\n`);
    await chmod(file, 0o755);
  }
  const { code, stderr } = await promisify(execFile)('/bin/sh', [RUN], { env: { PATH: bin, NOTES: notes } }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }) => ({ code, stderr }),
  );
  const noted = (await readFile(notes, 'utf8')).split('\n');
  const ran = noted.filter((line) => /^(npm|apt-get|go|python3 -m pip install) /.test(line));
  // Installed beside `npm ci`.
  const installed = ran.filter((line) => !line.startsWith('npm '));
  return { code, stderr, installed, npm: ran.filter((line) => line.startsWith('npm ')), last: ran.at(-1), noted };
}

const PYTHON = ['linters', 'python-packages'].map(
  (folder) =>
    `python3 -m pip install --quiet --break-system-packages --root-user-action ignore --target .${folder} -r scripts/${folder}.txt CI=true`,
);
const TEST = 'npm test --silent CI=true';
const NPM = ['npm ci CI=true', TEST];

/** Programs that are there, apart from the ones that are left out. */
function programs(...leftOut: string[]): Record<string, string> {
  const all = [
    'chromium-headless-shell',
    'haproxy',
    'openssl',
    'prometheus',
    'python3',
    'redis-server',
    'versitygw',
    'wget',
    'npm',
    'cargo',
  ];
  all.push('Rscript');
  return Object.fromEntries(all.filter((name) => !leftOut.includes(name)).map((name) => [name, ':']));
}

onUnix('with all programs the tests run, and know that nothing may be missing', async (t) => {
  const { code, installed, npm, last } = await run(t, programs());
  t.is(code, 0);
  t.deepEqual([installed, npm, last], [PYTHON, NPM, TEST]);
});

onUnix('Rust tests that do not compile are for the test command to report', async (t) => {
  const { code, npm } = await run(t, { ...programs(), cargo: 'exit 101' });
  t.deepEqual([code, npm], [0, NPM]);
});

onUnix('a missing program is installed', async (t) => {
  const { code, installed, npm, last } = await run(t, {
    ...programs('chromium-headless-shell'),
    'apt-get': '/bin/sleep 0.3',
  });
  t.is(code, 0);
  t.deepEqual(installed, [
    'apt-get update -qq CI=true',
    'apt-get install -y -qq --no-install-recommends chromium-headless-shell CI=true',
    ...PYTHON,
  ]);
  t.deepEqual([npm, last], [NPM, TEST], 'the tests wait for it');
});

onUnix('R is installed with its packages where one of them is missing', async (t) => {
  const { code, installed } = await run(t, { ...programs(), Rscript: 'exit 1', 'apt-get': ':' });
  t.is(code, 0);
  t.is(
    installed[1],
    'apt-get install -y -qq --no-install-recommends r-base-core r-cran-httr r-cran-jsonlite r-cran-sf CI=true',
  );
});

onUnix('a missing object store is built', async (t) => {
  const go = 'echo "go without C: $CGO_ENABLED, to $GOBIN" >>"$NOTES"';
  const { code, installed, npm } = await run(t, { ...programs('versitygw'), go });
  t.is(code, 0);
  t.deepEqual(installed, [
    'go install -gcflags=all=-N -l -dwarf=false -ldflags=-s -w github.com/versity/versitygw/cmd/versitygw@v1.8.0 CI=true',
    'go without C: 0, to /usr/local/bin',
    ...PYTHON,
  ]);
  t.deepEqual(npm, NPM);
  const without = await run(t, programs('versitygw'));
  t.deepEqual([without.code, without.installed, without.npm], [1, [], []]);
  t.regex(without.stderr, /missing: versitygw/);
});

onUnix('a program that cannot be installed is a failure, whatever npm says', async (t) => {
  const failing = await run(t, { ...programs('chromium-headless-shell'), 'apt-get': 'exit 100' });
  t.deepEqual([failing.code, failing.installed], [100, ['apt-get update -qq CI=true']]);
  t.false(failing.npm.includes(TEST));
  const elsewhere = await run(t, programs('chromium-headless-shell'));
  t.deepEqual([elsewhere.code, elsewhere.installed, elsewhere.npm], [1, [], []]);
  t.regex(elsewhere.stderr, /missing: chromium-headless-shell/);
  const user = await run(t, { ...programs('chromium-headless-shell'), 'apt-get': ':', id: 'echo 1000' });
  t.deepEqual([user.code, user.installed, user.npm], [1, [], []]);
});

onLinux('when npm ci fails, compiling is stopped, and packages are installed to the end', async (t) => {
  const { code, npm, noted } = await run(t, {
    ...programs('chromium-headless-shell'),
    npm: 'until /bin/grep -q compiling: "$NOTES"; do /bin/sleep 0.1; done; exit 7',
    cargo: '/bin/sleep 60 & echo "compiling: $!" >>"$NOTES"; wait',
    'apt-get': '/bin/sleep 1; echo installed >>"$NOTES"',
  });
  t.deepEqual([code, npm], [7, ['npm ci CI=true']]);
  t.is(noted.filter((line) => line === 'installed').length, 2);
  const compiling = Number(noted.find((line) => line.startsWith('compiling: '))?.slice('compiling: '.length));
  // On a busy machine it ends, and is forgotten, a little later.
  await until(() => !isAlive(compiling));
  t.false(isAlive(compiling));
});

test('missing data skips tests, or fails them where CI=true', async (t) => {
  const ask = (CI: string) => {
    const code = `const { hasShared } = await import('${NEEDS}'); console.log(hasShared('not-there'))`;
    const env = { ...process.env, CI };
    return promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
  };
  for (const CI of ['', 'false']) {
    const { stdout } = await ask(CI);
    t.deepEqual(stdout.split('\n').slice(1), ['false', ''], CI);
    t.regex(stdout, /^skipped: \.\.\/shared\/not-there is missing\n/);
  }
  await t.throwsAsync(ask('true'), { message: /not-there is missing; no test may be skipped where CI=true/ });
});
