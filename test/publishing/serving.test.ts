/** Servers of published graphs: swaps under load, hosts that swap one after the other, starts without the store. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { portWhenReady } from '../../src/bench/started-server.js';
import { copySample } from '../../src/cli/sample-town.js';
import { loadAddon } from '../../src/native/addon.js';
import { type PreparedGraph, prepareGraph, publish } from '../../src/publishing/publish.js';
import { MAIN } from '../support/command.js';
import { CREDENTIALS, HAS_OBJECT_SERVER, type ObjectServer, startObjectServer } from '../support/object-server.js';
import { type SoleAnswer, soleRequest } from '../support/sole-request.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const withStore = HAS_OBJECT_SERVER ? test.serial : test.skip;

const PLAN = 'plan?fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=08:00';

/** A request over a connection of its own, so that all serving processes get some. */
const call = (port: number, target: string, method = 'GET') => soleRequest(port, method, `/otp/${target}`);

/** Two graphs of the sample town, whose build times tell them apart. */
const graphs: PreparedGraph[] = [];
const [first, second] = [() => graphs[0] as PreparedGraph, () => graphs[1] as PreparedGraph];
const places: string[] = [];

test.before(async () => {
  const { Graph } = await loadAddon();
  for (const timeout of HAS_OBJECT_SERVER ? [3, 4] : []) {
    const place = await mkdtemp(path.join(tmpdir(), 'trestle-test-'));
    places.push(place);
    const directory = path.join(place, 'town');
    await mkdir(directory);
    await copySample(directory, path.join(directory, 'pointsets'));
    await Graph.build(directory, { routerConfig: `{ "timeout": ${timeout} }` });
    graphs.push(await prepareGraph(directory, (file) => Graph.open(file)));
  }
});

test.after.always(() => Promise.all(places.map((place) => rm(place, { recursive: true }))));

/** A host; it ends with the test. */
async function serve(t: ExecutionContext, store: ObjectServer, cache: string, ...flags: string[]) {
  const where = ['--graphs', store.address, '--cache', cache, '--s3Endpoint', store.endpoint];
  const args = [MAIN, 'serve', ...where, '--port', '0', '--insecure', ...flags];
  const env = { ...process.env, ...CREDENTIALS };
  const server: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'exit');
  };
  t.teardown(stop);
  const port = await portWhenReady(server);
  // With the store, routers follow what is published while the server is ready already.
  await until(async () => (await call(port, 'routers/town')).status === 200);
  /** Build time of the graph that is served. */
  const served = async () => JSON.parse((await call(port, 'routers/town')).text).buildTime;
  return { port, served, stop };
}

withStore('ten swaps under fifty plans a second fail no request', async (t) => {
  const server = await startObjectServer(t);
  const store = await server.open();
  await publish(first(), store, { router: 'town' });
  const cache = await temporaryDirectory(t);
  // No plan is refused because too many wait for their turn, however busy the machine is with other tests.
  const waiting = ['--maxQueuedSearches', '2000', '--maxQueueWaitMs', '60000'];
  const flags = ['--workers', '2', '--followSeconds', '1', '--maxThreads', '64', ...waiting];
  const { port, served } = await serve(t, server, cache, ...flags);
  const plans: Promise<Pick<SoleAnswer, 'status' | 'text'>>[] = [];
  let loading = true;
  const load = (async () => {
    for (const begun = performance.now(); loading; ) {
      plans.push(call(port, `routers/town/${PLAN}`).catch((error) => ({ status: 0, text: String(error) })));
      await pause(Math.max(0, begun + plans.length * 20 - performance.now()));
    }
  })();
  const begun = performance.now();
  try {
    for (let swap = 1; swap <= 10; swap += 1) {
      const graph = graphs[swap % 2] as PreparedGraph;
      await publish(graph, store, { router: 'town' });
      // Several answers, because there are several processes. One that has not swapped may be missed among them, so
      // that asking again could give another result.
      const everywhere = async () => {
        const found = await Promise.all(Array.from({ length: 8 }, served));
        return found.every((buildTime) => buildTime === graph.manifest.buildTime);
      };
      await until(everywhere, () => `swap ${swap}`);
    }
  } finally {
    loading = false;
    await load;
  }
  const seconds = (performance.now() - begun) / 1000;
  const failed = (await Promise.all(plans)).filter(
    ({ status, text }) => status !== 200 || !text.includes('"itineraries"'),
  );
  t.deepEqual(failed, []);
  t.true(plans.length / seconds > 40, `${plans.length} plans in ${seconds} s`);
});

withStore('hosts that do not follow swap when they are told, one after the other', async (t) => {
  const server = await startObjectServer(t);
  const store = await server.open();
  await publish(first(), store, { router: 'town' });
  const hosts = await Promise.all(
    [0, 1].map(async () => serve(t, server, await temporaryDirectory(t), '--followSeconds', '0')),
  );
  await publish(second(), store, { router: 'town' });
  const [a, b] = [first().manifest.buildTime, second().manifest.buildTime];
  const all = () => Promise.all(hosts.map(({ served }) => served()));
  t.deepEqual(await all(), [a, a]);
  t.is((await call(hosts[0]?.port ?? 0, 'routers/town', 'PUT')).status, 201);
  t.deepEqual(await all(), [b, a]);
  t.is((await call(hosts[1]?.port ?? 0, 'routers/town', 'PUT')).status, 201);
  t.deepEqual(await all(), [b, b]);
});

withStore('a host goes on without the store, and starts without it', async (t) => {
  const server = await startObjectServer(t);
  await publish(first(), await server.open(), { router: 'town' });
  const cache = await temporaryDirectory(t);
  const host = await serve(t, server, cache, '--router', 'town', '--followSeconds', '1');
  await server.stop();
  const told = await call(host.port, 'routers/town', 'PUT');
  t.deepEqual([told.status, told.text], [404, 'graph already registered, but reload failed.\n']);
  t.is((await call(host.port, `routers/town/${PLAN}`)).status, 200);
  await host.stop();
  const restarted = await serve(t, server, cache, '--router', 'town', '--followSeconds', '1');
  t.is(await restarted.served(), first().manifest.buildTime);
  t.is((await call(restarted.port, `routers/town/${PLAN}`)).status, 200);
});

withStore('graphs are saved by publishing them, not on a host', async (t) => {
  const server = await startObjectServer(t);
  await publish(first(), await server.open(), { router: 'town' });
  const { port } = await serve(t, server, await temporaryDirectory(t));
  const options = { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: 'x' };
  const saved = await fetch(`http://127.0.0.1:${port}/otp/routers/save?routerId=town`, options);
  t.deepEqual([saved.status, await saved.text()], [409, 'graphs come from an object store: use trestle publish\n']);
});

withStore('the command publishes a directory, and names what was wrong with an address or a router', async (t) => {
  const server = await startObjectServer(t);
  const directory = path.join(await temporaryDirectory(t), 'town');
  await cp(path.dirname(first().file), directory, { recursive: true, preserveTimestamps: true });
  const run = async (...args: string[]) => {
    const service = { TRESTLE_PORT: 'tcp://10.0.0.1:8080' };
    const env = { ...process.env, ...CREDENTIALS, ...service, TRESTLE_S3_ENDPOINT: server.endpoint };
    const command = spawn(process.execPath, [MAIN, 'publish', ...args], { env });
    let [out, err] = ['', ''];
    command.stdout.on('data', (text) => {
      out += text;
    });
    command.stderr.on('data', (text) => {
      err += text;
    });
    const [code] = await once(command, 'close');
    return { code, out, err };
  };
  const told = await run(directory, server.address);
  t.deepEqual([told.code, told.out.split('\n')[1]], [0, '  uploaded, published']);
  t.true(told.out.startsWith(`town: graph ${first().manifest.sha256}, `), told.out);
  const shown = await run(directory, server.address, '--json');
  t.is(JSON.parse(shown.out).pointer.router, 'town');
  await writeFile(path.join(directory, 'router-config.json'), '{ "updaters": 7 }');
  const wrong = await Promise.all([
    run(directory, 'graphs/city'),
    run(directory, server.address, '--router', 'a/b'),
    run(directory, server.address),
  ]);
  t.deepEqual(
    wrong.map(({ code }) => code),
    [1, 1, 1],
  );
  t.regex(wrong[0]?.err ?? '', /s3:\/\/bucket\/prefix/);
  t.regex(wrong[1]?.err ?? '', /illegal router id "a\/b"/);
  t.regex(wrong[2]?.err ?? '', /router-config\.json:1:\d+: updaters/);
});
