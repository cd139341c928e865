import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { ServerFlags } from '../../src/config/server-config.js';
import { configuredBuild } from '../../src/registry/build-options.js';
import { fileVersion, isUploaded } from '../../src/registry/graph-file.js';
import type { GraphMaker } from '../../src/registry/graph-source.js';
import { gate } from '../support/gate.js';
import { spooled } from '../support/spooled.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { TEXT_GRAPHS } from '../support/text-graphs.js';
import { until } from '../support/until.js';
import { zip } from '../support/zip.js';

const OCTETS = { 'Content-Type': 'application/octet-stream' };
const ZIP = { 'Content-Type': 'application/zip' };

async function setUp(t: ExecutionContext, flags: ServerFlags = {}, maker = TEXT_GRAPHS) {
  const graphs = await temporaryDirectory(t);
  const app = await startApp(t, [], { maker, flags: { graphs, insecure: true, ...flags } });
  const write = async (id: string, text: string, file = 'Graph.obj') => {
    await mkdir(path.join(graphs, id), { recursive: true });
    await writeFile(path.join(graphs, id, file), text);
  };
  const call = async (method: string, target: string, body?: string | Uint8Array, headers = {}) => {
    const response = await app.request(target, { method, headers, ...(body === undefined ? {} : { body }) });
    return `${response.status} ${await response.text()}`;
  };
  const registered = async () => (await app.json('/routers')).routerInfo.map((info: any) => info.routerId);
  return { graphs, app, write, call, registered, spooled: () => spooled(graphs) };
}

test('PUT registers a router from its directory and reloads it', async (t) => {
  const { write, call, registered } = await setUp(t);
  await write('a', 'graph 1');
  t.is(await call('PUT', '/routers/a'), '201 graph registered.\n');
  t.is(await call('PUT', '/routers/a'), '201 graph already registered, reloaded.\n');
  t.deepEqual(await registered(), ['a']);
});

test('PUT of a router without graph or inputs', async (t) => {
  const { call } = await setUp(t);
  t.is(await call('PUT', '/routers/a'), '404 graph not found or other error.\n');
  t.is(await call('PUT', '/routers/a.b'), '404 graph not found or other error.\n');
});

test('PUT builds a router that has inputs only, unless that is switched off', async (t) => {
  const on = await setUp(t);
  await on.write('a', '', 'town.osm.pbf');
  t.is(await on.call('PUT', '/routers/a'), '201 graph registered.\n');
  t.is(await readFile(path.join(on.graphs, 'a', 'Graph.obj'), 'utf8'), 'graph 1');
  const off = await setUp(t, { buildOnDemand: false });
  await off.write('a', '', 'town.osm.pbf');
  t.is(await off.call('PUT', '/routers/a'), '404 graph not found or other error.\n');
});

test('PUT of a router whose file went bad: the old graph stays in use', async (t) => {
  const { write, call, registered } = await setUp(t);
  await write('a', 'graph 1');
  await call('PUT', '/routers/a');
  await write('a', 'junk');
  t.is(await call('PUT', '/routers/a'), '404 graph already registered, but reload failed.\n');
  t.deepEqual(await registered(), ['a']);
});

test('PUT of all reloads all, removes those that fail and has an empty answer', async (t) => {
  const { app, write, call, registered } = await setUp(t);
  for (const id of ['a', 'b']) {
    await write(id, 'graph 1');
    await call('PUT', `/routers/${id}`);
  }
  await write('b', 'junk');
  const answer = await app.request('/routers?force=false', { method: 'PUT' });
  t.deepEqual([answer.status, await answer.text(), answer.headers.get('content-type')], [200, '', 'text/plain']);
  t.deepEqual(await registered(), ['a', 'b']);
  t.is(await call('PUT', '/routers'), '200 ');
  t.deepEqual(await registered(), ['a']);
});

test('DELETE evicts one and all', async (t) => {
  const { write, call, registered } = await setUp(t);
  for (const id of ['a', 'b', 'c']) {
    await write(id, 'graph 1');
    await call('PUT', `/routers/${id}`);
  }
  t.is(await call('DELETE', '/routers/a'), '200 graph evicted.\n');
  t.is(await call('DELETE', '/routers/a'), '404 graph did not exist.\n');
  t.is(await call('GET', '/routers/a'), "404 Graph id 'a' not registered.\n");
  t.is(await call('DELETE', '/routers'), '200 2 graphs evicted.\n');
  t.deepEqual(await registered(), []);
});

test('POST of a serialized graph creates and replaces a router; no content type means a graph', async (t) => {
  const { call, registered, spooled } = await setUp(t);
  t.is(await call('POST', '/routers/a', 'graph 7', OCTETS), '201 <Graph id=a vertices=7 edges=6 stops=2>\n');
  t.is(await call('POST', '/routers/a', 'graph 8', OCTETS), '201 <Graph id=a vertices=8 edges=6 stops=2>\n');
  t.is(
    await call('POST', '/routers/a?preEvict=true', new Uint8Array(Buffer.from('graph 9'))),
    '201 <Graph id=a vertices=9 edges=6 stops=2>\n',
  );
  t.deepEqual(await registered(), ['a']);
  await until(async () => (await spooled()).length === 1);
  t.is((await spooled()).length, 1);
  await call('DELETE', '/routers');
  await until(async () => (await spooled()).length === 0);
  t.deepEqual(await spooled(), []);
});

test('a sent graph without a file on disk survives PUT', async (t) => {
  const { call, registered } = await setUp(t);
  await call('POST', '/routers/a', 'graph 7', OCTETS);
  t.is(await call('PUT', '/routers/a'), '201 graph already registered, reloaded.\n');
  await call('PUT', '/routers');
  t.deepEqual(await registered(), ['a']);
});

test('a bad upload leaves the old graph in use and no file behind', async (t) => {
  const { call, app, spooled } = await setUp(t);
  await call('POST', '/routers/a', 'graph 7', OCTETS);
  t.is(await call('POST', '/routers/a', 'junk', OCTETS), '400 not a graph file\n');
  t.is((await app.get('/routers/a')).status, 200);
  await until(async () => (await spooled()).length === 1);
  t.is((await spooled()).length, 1);
});

test('a router that is removed while its graph is being opened is not found', async (t) => {
  const [opening, waiting] = [gate(), gate()];
  const maker: GraphMaker = {
    ...TEXT_GRAPHS,
    async open(...args) {
      waiting.open();
      await opening.promise;
      return TEXT_GRAPHS.open(...args);
    },
  };
  const { call, registered } = await setUp(t, {}, maker);
  const sent = call('POST', '/routers/a', 'graph 7', OCTETS);
  await waiting.promise;
  t.is(await call('DELETE', '/routers/a'), '200 graph evicted.\n');
  opening.open();
  t.is(await sent, "404 Graph id 'a' not registered.\n");
  t.deepEqual(await registered(), []);
});

test('other types and ids are refused', async (t) => {
  const { call } = await setUp(t);
  t.regex(await call('POST', '/routers/a', 'x', { 'Content-Type': 'text/csv' }), /^415 /);
  t.regex(await call('POST', '/routers/a.b', 'graph 1', OCTETS), /^400 illegal router id/);
  t.regex(await call('PATCH', '/routers/a'), /^405 /);
  t.regex(await call('GET', '/routers/save'), /^404 |^405 /);
});

test('POST of a zip builds its inputs', async (t) => {
  const { call, spooled } = await setUp(t);
  const inputs = await zip({ 'town.osm': '<osm/>', 'build-config.json': '{}' });
  t.is(await call('POST', '/routers/a', inputs, ZIP), '201 <Graph id=a vertices=2 edges=6 stops=2>\n');
  t.is((await spooled()).length, 1);
});

test('a zip with a directory, with a path, damaged, without inputs', async (t) => {
  const { call, spooled } = await setUp(t);
  const directories = '400 ZIP files containing directories are not supported\n';
  t.is(await call('POST', '/routers/a', await zip({ 'x/town.osm': '' }), ZIP), directories);
  const climbing = (await zip({ 'aa_aa_town.osm': '' })).toString('latin1').replaceAll('aa_aa_', '../../');
  t.is(await call('POST', '/routers/a', Buffer.from(climbing, 'latin1'), ZIP), directories);
  t.regex(await call('POST', '/routers/a', 'no zip', ZIP), /^400 Could not extract zip file: /);
  t.regex(await call('POST', '/routers/a', await zip({ 'a.txt': 'x' }), ZIP), /^400 no GTFS feed and no OSM file/);
  t.deepEqual(await spooled(), []);
});

test('a zip that grows out of proportion is stopped while it is unpacked', async (t) => {
  const { call, spooled } = await setUp(t);
  const bomb = await zip({ 'town.osm': Buffer.alloc(32 * 1024 ** 2) });
  t.true(bomb.length < 100_000);
  t.regex(await call('POST', '/routers/a', bomb, ZIP), /^413 the zip unpacks to more than is allowed/);
  t.deepEqual(await spooled(), []);
});

test('an upload above the limit is refused, with or without Content-Length', async (t) => {
  const { call, app, spooled } = await setUp(t, { maxUploadBytes: 1000 });
  t.regex(await call('POST', '/routers/a', 'graph 1'.padEnd(2000), OCTETS), /^413 /);
  const status = await new Promise((resolve, reject) => {
    const target = new URL(`${app.base}/routers/a`);
    const chunked = request(target, { method: 'POST', headers: OCTETS }, (response) => resolve(response.statusCode));
    chunked.on('error', reject);
    for (let i = 0; i < 20; i += 1) chunked.write('x'.repeat(100));
    chunked.end();
  });
  t.is(status, 413);
  t.deepEqual(await spooled(), []);
});

test('a refused upload gets a reason, however much is still being sent', async (t) => {
  const { app, spooled } = await setUp(t, { maxUploadBytes: 1000 });
  const target = new URL(`${app.base}/routers/a`);
  const status = await new Promise((resolve, reject) => {
    const long = request(target, { method: 'POST', headers: OCTETS }, (response) => resolve(response.statusCode));
    long.on('error', reject);
    long.write(Buffer.alloc(1_000_000));
  });
  t.is(status, 413);
  t.deepEqual(await spooled(), []);
});

test('save writes the file, keeps the previous one as .bak and loads nothing', async (t) => {
  const { call, graphs } = await setUp(t);
  t.is(await call('POST', '/routers/save?routerId=a', 'graph 1', OCTETS), '201 graph saved.\n');
  t.is(await call('GET', '/routers/a'), "404 Graph id 'a' not registered.\n");
  t.is(await call('POST', '/routers/save?routerId=a', 'graph 2', OCTETS), '201 graph saved.\n');
  t.is(await readFile(path.join(graphs, 'a', 'Graph.obj'), 'utf8'), 'graph 2');
  t.is(await readFile(path.join(graphs, 'a', 'Graph.obj.bak'), 'utf8'), 'graph 1');
  t.is(await call('PUT', '/routers/a'), '201 graph registered.\n');
});

test('save refuses a file that no server could open, a missing and an illegal router id', async (t) => {
  const { call, graphs } = await setUp(t);
  await call('POST', '/routers/save?routerId=a', 'graph 1', OCTETS);
  t.is(await call('POST', '/routers/save?routerId=a', 'junk', OCTETS), '400 not a graph file\n');
  t.is(await readFile(path.join(graphs, 'a', 'Graph.obj'), 'utf8'), 'graph 1');
  t.regex(await call('POST', '/routers/save', 'graph 1', OCTETS), /^400 /);
  t.regex(await call('POST', '/routers/save?routerId=..%2F..', 'graph 1', OCTETS), /^400 illegal router id/);
});

test('saves of one router at once are all answered, and leave one of the graphs with its note', async (t) => {
  const { call, graphs } = await setUp(t);
  const texts = Array.from({ length: 40 }, (_, i) => `graph ${i + 1}`);
  const answers = await Promise.all(texts.map((text) => call('POST', '/routers/save?routerId=a', text, OCTETS)));
  t.deepEqual([...new Set(answers)], ['201 graph saved.\n']);
  const file = path.join(graphs, 'a', 'Graph.obj');
  for (const name of [file, `${file}.bak`]) t.true(texts.includes(await readFile(name, 'utf8')), name);
  t.true(await isUploaded(file, await fileVersion(file)));
  t.deepEqual((await readdir(path.join(graphs, 'a'))).sort(), ['Graph.obj', 'Graph.obj.bak', 'Graph.uploaded.json']);
});

test('an id that is too long for a directory is refused, whatever its letters', async (t) => {
  const { call } = await setUp(t);
  const long = encodeURIComponent('日'.repeat(100));
  t.regex(await call('POST', `/routers/save?routerId=${long}`, 'graph 1', OCTETS), /^400 illegal router id/);
  t.regex(await call('POST', `/routers/${long}`, 'graph 1', OCTETS), /^400 illegal router id/);
});

test('a router named default is reached by that name, though another one is the default router', async (t) => {
  const { write, call, app } = await setUp(t, { routers: ['porto'] });
  await write('porto', 'graph 1');
  await call('PUT', '/routers/porto');
  const described = async (id: string) => (await app.json(`/routers/${id}`)).buildTime;
  t.is(await described('default'), 1);
  t.is(
    await call('POST', '/routers/default', 'graph 2', OCTETS),
    '201 <Graph id=default vertices=2 edges=6 stops=2>\n',
  );
  t.is(await described('default'), 2);
  t.is(await described('porto'), 1);
  t.is(await call('DELETE', '/routers/default'), '200 graph evicted.\n');
  t.is(await described('default'), 1);
});

test('a pipe or directory in the directory of a router is an error and does not block', async (t) => {
  const { write, call, graphs } = await setUp(t);
  const makePipe = (...names: string[]) => promisify(execFile)('mkfifo', [path.join(graphs, ...names)]);
  for (const name of ['Graph.obj', 'router-config.json']) {
    await write('a', 'graph 1');
    await rm(path.join(graphs, 'a', name), { force: true });
    await makePipe('a', name);
    t.is(await call('PUT', '/routers/a'), '404 graph not found or other error.\n', name);
    await rm(path.join(graphs, 'a', name));
  }
  await makePipe('build-config.json');
  await t.throwsAsync(configuredBuild(graphs), {
    code: 'NOT_A_FILE',
    message: /build-config\.json is not a regular file/,
  });
});

test('a full or read-only disk and too many open files are distinguished from bugs, with a stable code', async (t) => {
  const failing = (error: Error) => ({ ...TEXT_GRAPHS, build: () => Promise.reject(error) });
  const zipped = await zip({ 'town.osm.pbf': 'streets' });
  for (const [error, expected] of [
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), /^507 STORAGE_FULL: .*\n$/],
    [Object.assign(new Error('cannot write Graph.obj: No space left on device (os error 28)')), /^507 STORAGE_FULL: /],
    [Object.assign(new Error('open'), { code: 'EROFS' }), /^507 STORAGE_READ_ONLY: /],
    [Object.assign(new Error('open'), { code: 'EACCES' }), /^507 STORAGE_DENIED: /],
    [Object.assign(new Error('open'), { code: 'EMFILE' }), /^503 TOO_MANY_FILES: /],
    [Object.assign(new Error('town.osm.pbf: Too many open files (os error 24)')), /^503 TOO_MANY_FILES: /],
    [Object.assign(new Error('no trips'), { code: 'GTFS_UNREADABLE' }), /^400 no trips\n$/],
  ] as const) {
    const graphs = await temporaryDirectory(t);
    const app = await startApp(t, [], { maker: failing(error), flags: { graphs, insecure: true } });
    const response = await app.request('/routers/a', { method: 'POST', headers: ZIP, body: zipped });
    t.regex(`${response.status} ${await response.text()}`, expected);
  }
});

test('requests during reloads are all answered', async (t) => {
  // A busy machine may take seconds for a reload.
  const { write, call, app } = await setUp(t, { loadWaitMs: 60_000 });
  await write('a', 'graph 1');
  await call('PUT', '/routers/a');
  let reloading = true;
  const statuses = new Set<number>();
  const asking = (async () => {
    while (reloading) statuses.add((await app.get('/routers/a/plan?fromPlace=0,0&toPlace=1,1')).status);
  })();
  for (let i = 0; i < 20; i += 1) t.regex(await call('PUT', `/routers/a?preEvict=${i % 2 === 0}`), /^201 /);
  reloading = false;
  await asking;
  t.deepEqual([...statuses], [200]);
});
