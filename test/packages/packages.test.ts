/** The packages of a release: what is in them, and that they work where there is nothing but Node. */

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { leadsSomewhere, linksOf } from '../documentation/page-links.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { Installation, packRelease, ROOT } from './installation.js';

const run = promisify(execFile);

/**
 * Bytes; the figures that `docs/deploy` promises. The addon that `.ci/run` compiles for tests is not one that is released:
 * its code also checks itself, which makes it more than a quarter larger.
 */
const MOST = { main: 2_000_000, platform: process.env.ADDON_FOR_TESTS === 'true' ? 15_000_000 : 12_000_000 } as const;

/** A trip through the sample town on a working day. */
const TRIP = 'fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=08:00';

const GRAPHQL = '/otp/routers/default/index/graphql';

let output: string;
let tarballs: string[];
let installed: Installation;

const onLinux = process.platform === 'linux' ? test.serial : test.serial.skip;

test.before(async () => {
  if (process.platform !== 'linux') return;
  output = await mkdtemp(path.join(tmpdir(), 'trestle-release-'));
  tarballs = await packRelease(output);
  installed = await Installation.of(tarballs);
});
test.after.always(async () => {
  await installed?.remove();
  if (output !== undefined) await rm(output, { recursive: true, force: true });
});

/** Paths in a tarball with their sizes. */
async function contents(tarball: string): Promise<Map<string, number>> {
  const { stdout } = await run('tar', ['-tzvf', tarball]);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/));
  return new Map(lines.map((words) => [words[5]?.replace('package/', '') ?? '', Number(words[2])]));
}

const sum = (sizes: Iterable<number>) => [...sizes].reduce((all, size) => all + size, 0);

onLinux('the packages are small and hold what runs', async (t) => {
  const [platform = '', main = ''] = tarballs;
  t.true(sum((await contents(platform)).values()) <= MOST.platform);
  const files = await contents(main);
  const withoutMaps = [...files].filter(([name]) => !name.endsWith('.map'));
  t.true(sum(withoutMaps.map(([, size]) => size)) <= MOST.main);
  for (const name of ['index.js', 'index.d.ts', 'LICENSE', 'README.md', 'dist/client/index.html']) {
    t.true(files.has(name), name);
  }
  const strange = [...files.keys()].filter((name) => /^(src|crates|test|scripts)\/|\.node$|\.rs$/.test(name));
  t.deepEqual(strange, []);
});

onLinux('an addon that is larger than promised is not packed for a release', async (t) => {
  const folder = await temporaryDirectory(t);
  const file = path.join(folder, 'trestle.linux-x64-gnu.node');
  await writeFile(file, '');
  await truncate(file, 12_000_001);
  const script = path.join(ROOT, 'scripts/pack-release.mjs');
  const args = [script, '--artifacts', folder, '--output', path.join(folder, 'packages'), '--partial'];
  const { ADDON_FOR_TESTS, ...env } = process.env;
  const message = new RegExp(`larger than 12000000 bytes: ${file}`);
  await t.throwsAsync(run(process.execPath, args, { env }), { message });
});

onLinux('every link of an installed page leads to a file of the package, or to one of the repository', async (t) => {
  const root = path.join(installed.directory, 'node_modules/trestle');
  const { version, repository } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const own = new RegExp(`^${repository.url.replace(/^git\+|\.git$/g, '')}/(?:blob|raw|tree)/v${version}/(.*)$`);
  const pages = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.md'));
  t.true(pages.includes('README.md') && pages.includes(path.join('docs', 'deploy', 'README.md')));
  const inRepository = new Set<string>();
  for (const page of pages) {
    for (const link of linksOf(page, root)) {
      const place = own.exec(link)?.[1];
      if (place !== undefined) inRepository.add(place);
      t.true(
        place === undefined ? leadsSomewhere(page, link, root) : leadsSomewhere('.', place, ROOT),
        `${page}: ${link}`,
      );
    }
  }
  t.true(inRepository.has('docs/guides/planner.md'));
});

onLinux('every file that the services of the installed compose file read is there', async (t) => {
  const folder = path.join(installed.directory, 'node_modules/trestle/docs/deploy/compose');
  const text = await readFile(path.join(folder, 'compose.yaml'), 'utf8');
  const files = [...text.matchAll(/(\.{1,2}\/[\w./-]+):\/[\w./-]+:ro\b/g)].map(([, file = '']) => file);
  t.true(files.length >= 3);
  for (const file of files) t.true((await stat(path.join(folder, file))).isFile(), file);
});

onLinux('functions of an installed module keep their names', async (t) => {
  const module = path.join(installed.directory, 'node_modules/trestle/dist/src/server/rate-limit.js');
  t.is((await import(module)).RateLimiter.name, 'RateLimiter');
});

onLinux('the package is bound to its addon and runs nothing when it is installed', async (t) => {
  const file = path.join(installed.directory, 'node_modules/trestle/package.json');
  const own = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const { version, optionalDependencies, scripts, devDependencies } = JSON.parse(await readFile(file, 'utf8'));
  t.is(version, own.version);
  t.deepEqual([...new Set(Object.values(optionalDependencies))], [version]);
  t.deepEqual([scripts, devDependencies], [undefined, undefined]);
});

onLinux('an installed server answers for the sample town, and its pages are there', async (t) => {
  const server = await installed.serve();
  t.teardown(() => server.stop());
  const { plan } = (await (await fetch(`${server.base}/otp/routers/default/plan?${TRIP}`)).json()) as any;
  t.true(plan.itineraries.length > 0);
  for (const [page, accept, expected] of [
    ['/', 'text/html', '<title>Trestle'],
    ['/client.js', '*/*', 'maplibregl'],
    ['/map-worker.js', '*/*', 'import'],
    ['/licences.txt', '*/*', 'maplibre-gl'],
    ['/otp/docs', 'text/html', '<html'],
    ['/otp/docs.js', '*/*', 'openapi.json'],
    [GRAPHQL, 'text/html', '<html'],
    [`${GRAPHQL}/page/page.js`, '*/*', 'import'],
  ] as const) {
    const response = await fetch(server.base + page, { headers: { accept } });
    t.is(response.status, 200, page);
    t.true((await response.text()).includes(expected), page);
  }
});

const LIBRARY = `
import { type ErrorCode, Graph, type PlanOutcome, type PlanRequest, type RequestMode, TrestleError } from 'trestle';

const graph: Graph = await Graph.open('graphs/default/Graph.obj');
const request: PlanRequest = {
  from: { lat: 48.0056, lon: 15.0306 },
  to: { lat: 48.0304, lon: 15.0714 },
  epochSeconds: Date.parse('2026-11-23T07:00:00Z') / 1000,
  modes: ['TRANSIT', 'WALK'] satisfies RequestMode[],
};
// @ts-expect-error: there is no such mode
request.modes?.push('TELEPORT');
request.modes?.pop();
const { plan, error }: PlanOutcome = await graph.plan(request, { signal: AbortSignal.timeout(20_000) });
if (error !== undefined) throw new Error(error.reason);
console.log(plan?.itineraries.length);
graph[Symbol.dispose]();
const code: ErrorCode | undefined = await graph.plan(request).then(
  () => undefined,
  (reason: unknown) => (reason instanceof TrestleError ? reason.code : undefined),
);
console.log(code);
`;

const EMBEDDED = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from 'trestle/server';

const options: AppOptions = { graphs: 'graphs', routers: ['default'] };
const { app, close } = await createApp(options);
const server = createServer(app.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const response = await fetch(\`http://127.0.0.1:\${port}/otp/routers/default/plan?${TRIP}\`, { headers: { connection: 'close' } });
const { plan } = (await response.json()) as { plan: { itineraries: unknown[] } };
console.log(plan.itineraries.length);
server.close();
await close();
// Nothing may keep the process: a program that ends its own server ends.
const refused = await createApp({ routers: 1 as never }).catch((error: { code?: string }) => error.code);
console.log(refused);
`;

const ANSWERS = `
import { ANSWERS, type PlanAnswer, type StopTimesInPattern } from 'trestle/answers';

const durations = ({ plan }: PlanAnswer): number[] => plan?.itineraries.map(({ duration }) => duration) ?? [];
const late = (list: StopTimesInPattern[]) => list.flatMap(({ times }) => times).filter(({ realtime }) => realtime);
console.log(durations({ requestParameters: {} }).length, late([]).length, Object.hasOwn(ANSWERS, 'Stop'));
`;

const COMMON = `
import { Graph, TrestleError } from 'trestle';
import { createApp } from 'trestle/server';

async function main(): Promise<void> {
  const graph: Graph = await Graph.open('graphs/default/Graph.obj');
  console.log(graph.info().stops > 0, typeof createApp, TrestleError.name);
  graph.dispose();
}
void main();
`;

onLinux('stack traces of an installed package name the lines of the sources', async (t) => {
  const program = "import { Graph } from 'trestle'; Graph.open('none').catch(({ stack }) => console.log(stack));";
  const stack = await installed.execute('node', ['--enable-source-maps', '--input-type=module', '--eval', program]);
  const [, line] = /native\/errors\.ts:(\d+)/.exec(stack) ?? [];
  const source = await readFile(path.join(ROOT, 'src/native/errors.ts'), 'utf8');
  t.regex(source.split('\n')[Number(line) - 1] ?? '', /new TrestleError/, stack);
});

onLinux('programs in strict TypeScript compile against the package and run', async (t) => {
  const { transform } = await import('esbuild');
  await installed.write('library.ts', LIBRARY);
  await installed.write('embedded.ts', EMBEDDED);
  await installed.write('answers.ts', ANSWERS);
  await installed.write('common.cts', COMMON);
  // The types of the libraries are checked as well: a user may not skip them.
  const settings = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ];
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const programs = ['library.ts', 'embedded.ts', 'answers.ts', 'common.cts'];
  await installed.execute('node', [tsc, ...settings, '--types', 'node', ...programs]);
  for (const [name, code] of [
    ['library.js', LIBRARY],
    ['embedded.js', EMBEDDED],
    ['answers.js', ANSWERS],
  ] as const) {
    await installed.write(name, (await transform(code, { loader: 'ts', target: 'node20' })).code);
  }
  t.is(await installed.execute('node', ['library.js']), '3\nDISPOSED\n');
  t.is(await installed.execute('node', ['embedded.js']), '3\nCONFIG_INVALID\n');
  t.is(await installed.execute('node', ['answers.js']), '0 0 true\n');
  const { code: common } = await transform(COMMON, { loader: 'ts', target: 'node20', format: 'cjs' });
  await installed.write('common.cjs', common);
  t.is(await installed.execute('node', ['common.cjs']), 'true function TrestleError\n');
});
