import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { NamedLocks } from '../../src/server/cluster/named-locks.js';
import type { ServingProcess } from '../support/cluster-server.js';
import { MAIN } from '../support/command.js';
import { isAlive } from '../support/is-alive.js';
import { soleRequest } from '../support/sole-request.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const PROGRAM = fileURLToPath(new URL('../support/cluster-server.js', import.meta.url));
const OCTETS = { 'Content-Type': 'application/octet-stream' };

interface Answer {
  status: number;
  text: string;
  process: number;
}

async function call(port: number, method: string, target: string, body = '', headers = {}): Promise<Answer> {
  const { status, text, headers: received } = await soleRequest(port, method, target, { body, headers });
  return { status, text, process: Number(received['x-process']) };
}

/** A server that ends with the test and reports each process that serves or has ended. */
async function start(t: Pick<ExecutionContext, 'teardown'>, processes: number, rules = {}) {
  const graphs = await temporaryDirectory(t);
  const args = [PROGRAM, graphs, String(processes), JSON.stringify(rules)];
  const server: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  t.teardown(async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  });
  return { graphs, server };
}

async function setUp(t: Pick<ExecutionContext, 'teardown'>, rules = {}) {
  const { graphs, server } = await start(t, 2, rules);
  /** A port of each process's own, and the one that they share. */
  const own = new Map<number, number>();
  let port = 0;
  server.on('message', ({ pid, port: alone, shared = 0 }: ServingProcess) => {
    if (alone === undefined) return void own.delete(pid);
    own.set(pid, alone);
    port = shared;
  });
  const ended = new AbortController();
  server.once('exit', () => ended.abort());
  const complete = async () => {
    while (own.size < 2) await once(server, 'message', { signal: ended.signal });
  };
  await complete();
  const put = async (id: string, text: string) => {
    await mkdir(path.join(graphs, id), { recursive: true });
    await writeFile(path.join(graphs, id, 'Graph.obj'), text);
    return call(port, 'PUT', `/otp/routers/${id}`);
  };
  /** What each of the two processes answers. */
  const everywhere = async (target: string) => {
    await complete();
    const answers = await Promise.all([...own.values()].map((alone) => call(alone, 'GET', target)));
    return { texts: answers.map(({ status, text }) => `${status} ${text}`), processes: [...own.keys()] };
  };
  return { port, own, put, everywhere, server, graphs };
}

/** The two processes of most tests. */
let both: Awaited<ReturnType<typeof setUp>>;
const closers: Array<() => unknown> = [];
test.before(async () => {
  both = await setUp({ teardown: (close) => void closers.unshift(close) });
});
test.after.always(async () => {
  for (const close of closers) await close();
});

test.serial('changes of the registry reach every process before they are answered', async (t) => {
  const { port, put, everywhere } = both;
  t.is((await put('a', 'graph 1')).text, 'graph registered.\n');
  const here = await everywhere('/otp/routers/a');
  t.is(here.processes.length, 2);
  for (const text of here.texts) t.regex(text, /^200 /);

  t.is((await call(port, 'POST', '/otp/routers/b', 'graph 5', OCTETS)).status, 201);
  for (const text of (await everywhere('/otp/routers/b')).texts) t.regex(text, /^200 /);

  t.is((await call(port, 'DELETE', '/otp/routers')).text, '2 graphs evicted.\n');
  for (const text of (await everywhere('/otp/routers')).texts) t.is(text, '200 {"routerInfo":[]}');
});

test.serial('alerts sent to one process reach all', async (t) => {
  const { port, everywhere } = both;
  const patch = { id: 'detour', route: '1:R', alert: { alertHeaderText: 'Detour' } };
  const sent = JSON.stringify({ alertPatches: [patch] });
  const { text } = await call(port, 'POST', '/otp/patch/patch', sent, { 'Content-Type': 'application/json' });
  t.deepEqual(JSON.parse(text), { status: 'OK' });
  const { texts } = await everywhere('/otp/patch/routePatches?agency=1&id=R');
  t.is(texts.length, 2);
  for (const found of texts) t.regex(found, /"alertHeaderText":"Detour"/);
});

test.serial(
  'alerts that several processes are sent at once are all kept, in every process and in the file',
  async (t) => {
    const { own, everywhere, graphs } = both;
    const json = { 'Content-Type': 'application/json' };
    const ports = [...own.values()];
    const ids = Array.from({ length: 40 }, (_, i) => `p${i}`);
    const send = (id: string, i: number) => {
      const alertPatches = [{ id, route: '1:R', alert: { alertHeaderText: `<${id}>` } }];
      return call(ports[i % 2] ?? 0, 'POST', '/otp/patch/patch', JSON.stringify({ alertPatches }), json);
    };
    for (const { status } of await Promise.all(ids.map(send))) t.is(status, 200);
    const all = [...ids].sort();
    const found = (text: string) => [...text.matchAll(/"id":"(p\d+)"/g)].map(([, id]) => id).sort();
    const { texts } = await everywhere('/otp/patch/routePatches?agency=1&id=R');
    t.is(texts.length, 2);
    for (const text of texts) t.deepEqual(found(text), all);
    t.deepEqual(found(await readFile(path.join(graphs, 'alerts.json'), 'utf8')), all);
  },
);

test.serial('the metrics are those of all processes', async (t) => {
  const { port, own, everywhere } = both;
  const [asked = 0] = own.values();
  const count = async () => {
    const { text } = await call(asked, 'GET', '/metrics');
    const found = /^trestle_http_requests_total\{method="GET",route="\/routers",status="200"\} (\d+)$/m.exec(text);
    return Number(found?.[1] ?? 0);
  };
  const before = await count();
  // The process that is asked for the metrics answers one of the two, and 20 others at most.
  await everywhere('/otp/routers');
  for (let i = 0; i < 20; i += 1) await call(port, 'GET', '/otp/routers');
  // A process counts a request when its connection is closed, which may be after the answer is here.
  let more = 0;
  const counted = async () => {
    more = (await count()) - before;
    return more >= 22;
  };
  await until(counted, () => `${more} more`);
  t.is(more, 22);
});

test.serial('a process that dies is replaced, and the new one knows what was changed', async (t) => {
  const { port, everywhere } = both;
  t.is((await call(port, 'POST', '/otp/routers/b', 'graph 5', OCTETS)).status, 201);
  const before = await everywhere('/otp/routers/b');
  t.is(before.processes.length, 2);
  const [killed = 0, kept = 0] = before.processes;
  process.kill(killed, 'SIGKILL');
  let first: Answer | undefined;
  await until(async () => {
    const answer = await call(port, 'GET', '/otp/routers/b').catch(() => undefined);
    if (answer !== undefined && !before.processes.includes(answer.process)) first ??= answer;
    return first !== undefined;
  });
  t.is(first?.status, 200, 'the first thing that the new process is asked');
  t.deepEqual((await everywhere('/health/live')).processes.sort(), [kept, first?.process].sort());
});

test.serial('a process that dies again and again is given up, and the command ends with a status', async (t) => {
  const { server } = await start(t, 2, { restartPauseMs: 1, earlyExitMs: 600_000, mostEarlyExits: 3 });
  let told = '';
  server.stderr?.setEncoding('utf8').on('data', (text) => {
    told += text;
  });
  let kept: number | undefined;
  server.on('message', ({ pid, port }: ServingProcess) => {
    if (port === undefined) return;
    kept ??= pid;
    if (pid !== kept) process.kill(pid, 'SIGKILL');
  });
  t.deepEqual(await once(server, 'close'), [255, null]);
  t.regex(told, /a serving process died 3 times, each time within 600 s of its start \(SIGKILL\)/);
  t.false(isAlive(kept ?? 0), 'the other process ended with the command');
});

/** Enough that some of the processes die while one of the messages that come every millisecond is on its way. */
const KILLS = 12;

test.serial('a process may die while it is sent a message', async (t) => {
  const { server } = await start(t, 4, { restartPauseMs: 1, earlyExitMs: 0, tickMs: 1, silentTicks: 60_000 });
  let kills = 0;
  await new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
    server.on('message', ({ pid, port }: ServingProcess) => {
      if (port === undefined) return;
      if (kills === KILLS) return resolve();
      kills += 1;
      process.kill(pid, 'SIGKILL');
    });
  });
  t.deepEqual([server.exitCode, server.signalCode, kills], [null, null, KILLS], 'the command goes on');
});

test.serial('a stopped process does not keep the command from ending', async (t) => {
  const { server, everywhere } = await setUp(t, { stopMs: 500 });
  const [stopped = 0] = (await everywhere('/health/live')).processes;
  process.kill(stopped, 'SIGSTOP');
  server.kill('SIGTERM');
  t.deepEqual(await once(server, 'exit'), [0, null]);
  t.false(isAlive(stopped));
});

test.serial('a port in use ends the command with a message and a status', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const where = ['--port', String(port), '--bindAddress', '127.0.0.1', '--basePath', await temporaryDirectory(t)];
  for (const workers of ['1', '2']) {
    const args = [MAIN, 'serve', ...where, '--no-buildOnDemand', '--workers', workers];
    const server = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    server.stderr.setEncoding('utf8').on('data', (text) => {
      told += text;
    });
    t.deepEqual(await once(server, 'close'), [255, null], workers);
    t.is(told.match(/^trestle: port \d+ is in use: .*EADDRINUSE/gm)?.length, 1, told);
  }
});

test('a lock has one holder at a time and survives the death of its holder', async (t) => {
  const locks = new NamedLocks<string>();
  const told: string[] = [];
  const acquire = (id: string, owner: string) => locks.acquire(id, owner).then(() => told.push(`${owner} ${id}`));
  await acquire('a', 'one');
  void acquire('a', 'two');
  void acquire('a', 'three');
  await acquire('b', 'two');
  t.deepEqual(told, ['one a', 'two b']);
  locks.release('a', 'three');
  locks.releaseAll('two');
  locks.releaseAll('one');
  await new Promise(setImmediate);
  t.deepEqual(told, ['one a', 'two b', 'three a']);
});
