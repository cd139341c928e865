/** The files of `docs/deploy` and the workflows: linters find nothing, and what they say works. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { writeSample } from '../../scripts/sample-town/index.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const run = promisify(execFile);

/** The repository; tests run from `dist/test/deploy`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const file = (name: string) => readFile(path.join(ROOT, name), 'utf8');

/** Where the unit looks for the package and for its graphs. */
const [INSTALLED, SERVED] = ['/opt/trestle/node_modules/trestle', '/srv/trestle'];

test('linters find nothing in the workflows and the container file', async (t) => {
  await t.notThrowsAsync(run(process.execPath, [path.join(ROOT, 'scripts/lint-deployment.mjs')]));
});

test('the container runs without root, says how it is, and keeps graphs in a volume', async (t) => {
  const stages = (await file('docs/deploy/Containerfile')).split(/^FROM /m);
  const last = stages.at(-1) ?? '';
  t.true(stages.length > 2);
  t.regex(last, /^USER [1-9]\d*:[1-9]\d*$/m);
  t.regex(last, /^HEALTHCHECK /m);
  t.regex(last, /^VOLUME .*"\/srv\/trestle\/graphs"/m);
});

test('the proxy looks again for the address of a server, whose container may have been made again', async (t) => {
  const proxy = await file('docs/deploy/compose/haproxy.cfg');
  const [, used] = /^ {2}default-server .*\bresolvers (\w+)/m.exec(proxy) ?? [];
  const [settings = ''] = new RegExp(`^resolvers ${used}\n(?: .*\n)+`, 'm').exec(proxy) ?? [];
  // After half a minute without an answer of the name servers, it would give up servers that work.
  for (const failure of ['timeout', 'refused', 'other', 'nx'])
    t.regex(settings, new RegExp(`^ {2}hold ${failure} \\d+d$`, 'm'));
});

test('the release builds, tries and packs every platform of the package', async (t) => {
  const workflow = await file('.github/workflows/release.yml');
  const { napi } = JSON.parse(await file('package.json'));
  const built = [...workflow.matchAll(/target: (\S+), runner/g)].map(([, target]) => target);
  t.deepEqual(built.sort(), [...napi.targets].sort());
  t.is([...workflow.matchAll(/platform: (\S+), image/g)].length, napi.targets.length);
});

test('the container and the release link with the same versions of zig', async (t) => {
  const versions = (text: string) => text.match(/\b(ziglang|cargo-zigbuild)==[\d.]+/g);
  const inContainer = versions(await file('docs/deploy/Containerfile'));
  t.is(inContainer?.length, 2);
  t.deepEqual(versions(await file('.github/workflows/release.yml')), inContainer);
});

/** The values of a setting of the unit, in their order. */
const values = (unit: string, name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

/** A server's directory with the example settings and a graph for the router that they name. */
async function served(t: ExecutionContext): Promise<{ directory: string; token: string }> {
  const directory = await temporaryDirectory(t);
  const example = await file('docs/deploy/server-config.example.json');
  const token = 'a-long-random-text';
  const sha256 = createHash('sha256').update(token).digest('hex');
  await writeFile(path.join(directory, 'server-config.json'), example.replace(/0{64}/, sha256));
  const router = path.join(directory, 'graphs/porto');
  await mkdir(router, { recursive: true });
  await writeSample(router, { size: 'village' });
  return { directory, token };
}

/** Resolves when the server logs that it serves its routers; with all that it said. */
async function ready(server: ChildProcess, workers: number): Promise<string[]> {
  const said: string[] = [];
  let waiting = workers;
  if (server.stderr === null) throw new Error('the log is not read');
  for await (const line of createInterface(server.stderr)) {
    said.push(line);
    if (line.includes('"msg":"ready"')) waiting -= 1;
    if (waiting > 0) continue;
    server.stderr.resume();
    return said;
  }
  throw new Error(`the server did not start\n${said.join('\n')}`);
}

const onUnix = process.platform === 'win32' ? test.skip : test;

onUnix('the unit starts a server with the example settings and stops it', async (t) => {
  const { directory, token } = await served(t);
  const unit = (await file('docs/deploy/trestle.service'))
    .replaceAll(INSTALLED, ROOT.replace(/\/$/, ''))
    .replaceAll(SERVED, directory);
  const [command = ''] = values(unit, 'ExecStart');
  const [program, ...args] = command.split(' ');
  t.is(program, '/usr/bin/node');
  const environment = Object.fromEntries(values(unit, 'Environment').map((text) => text.split('=')));
  const server = spawn(process.execPath, args, {
    cwd: values(unit, 'WorkingDirectory')[0],
    env: { ...environment, TRESTLE_PORT: '0', TRESTLE_BIND_ADDRESS: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  t.teardown(() => server.kill('SIGKILL'));
  const said = await ready(server, 2);
  t.deepEqual(
    said.filter((line) => line.startsWith('{') && !line.includes('"level":30')),
    [],
    'the settings are understood',
  );
  const port = /"port":(\d+)/.exec(said.join('\n'))?.[1];
  const routers = `http://127.0.0.1:${port}/otp/routers`;
  t.is((await fetch(`${routers}/porto`)).status, 200);
  // As the trusted proxy sends it.
  const change = (authorization: string) =>
    fetch(`${routers}/porto`, { method: 'PUT', headers: { authorization, 'x-forwarded-proto': 'https' } });
  t.is((await change(`Bearer ${token}`)).status, 201);
  t.is((await change('Bearer another')).status, 401);
  server.kill(values(unit, 'KillSignal')[0] as NodeJS.Signals);
  t.deepEqual(await once(server, 'exit'), [0, null]);
});

onUnix('systemd understands the unit', async (t) => {
  const analyze = await run('sh', ['-c', 'command -v systemd-analyze']).catch(() => undefined);
  // Where systemd is not installed there is nothing that could read the unit.
  if (analyze === undefined) {
    t.pass();
    return;
  }
  const directory = await temporaryDirectory(t);
  const unit = path.join(directory, 'trestle.service');
  await writeFile(unit, (await file('docs/deploy/trestle.service')).replace('/usr/bin/node', process.execPath));
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
  t.notRegex(stdout + stderr, /trestle\.service/);
});
