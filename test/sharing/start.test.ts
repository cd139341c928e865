/** Starts that go wrong: each ends, or goes on, with a message and without hanging. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { MAIN } from '../support/command.js';
import { CREDENTIALS } from '../support/object-server.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** A server with its log; it ends with the test. */
async function start(t: ExecutionContext, ...flags: string[]) {
  const directory = await temporaryDirectory(t);
  const args = [MAIN, 'serve', '--basePath', directory, '--port', '0', '--insecure', ...flags];
  const env = { ...process.env, ...CREDENTIALS };
  const server: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let log = '';
  let heard = () => {};
  server.stderr?.setEncoding('utf8').on('data', (text) => {
    log += text;
    heard();
  });
  const ended = once(server, 'close').then(([status, signal]) => ({ status, signal, log }));
  t.teardown(() => void server.kill('SIGKILL'));
  const says = async (text: string) => {
    while (!log.includes(text)) {
      const more = new Promise<void>((resolve) => (heard = resolve));
      const over = await Promise.race([more, ended]);
      if (over) throw new Error(`it ended without saying ${text}\n${over.log}`);
    }
  };
  /** The port that it listens on, once it says so. */
  const listening = () => Number(/"port":(\d+)[^\n]*"msg":"listening"/.exec(log)?.[1]);
  return { server, listening, directory, ended, says };
}

/** Something that takes connections and never answers. */
async function silentPort(t: ExecutionContext): Promise<number> {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A port that refuses connections: it is the local end of a connection, so nothing else can listen there. */
async function refusingPort(t: ExecutionContext): Promise<number> {
  const connection = connect(await silentPort(t), '127.0.0.1');
  await once(connection, 'connect');
  t.teardown(() => void connection.destroy());
  return connection.localPort ?? 0;
}

const EMPTY = ['--graphs', 'none', '--no-buildOnDemand'];

for (const workers of ['1', '2']) {
  test(`an invalid address ends the start with --workers ${workers}`, async (t) => {
    const { ended } = await start(t, '--redis', 'localhost:6379', '--workers', workers);
    const { status, log } = await ended;
    t.is(status, 1);
    t.regex(log, /: --redis: expected an address that begins with redis:\/\/ or rediss:\/\//);
  });

  (HAS_REDIS ? test : test.skip)(`a wrong password ends the start with --workers ${workers}`, async (t) => {
    const redis = await startRedis(t, '--requirepass', 'right');
    for (const user of ['', ':wrong@', 'nobody:wrong@']) {
      const { ended } = await start(t, '--redis', redis.url.replace('//', `//${user}`), '--workers', workers);
      const { status, log } = await ended;
      t.is(status, 1, log);
      t.regex(log, /trestle: redis: the server refuses the connection: (WRONGPASS|NOAUTH)/);
      t.notRegex(log, /wrong/);
    }
  });
}

(HAS_REDIS ? test : test.skip)(
  'a port in use ends a server that shares its state, with or without its own jobs',
  async (t) => {
    const redis = await startRedis(t);
    const port = String(await silentPort(t));
    for (const more of [[], ['--jobs', await temporaryDirectory(t)]]) {
      const { ended } = await start(t, '--bindAddress', '127.0.0.1', '--port', port, '--redis', redis.url, ...more);
      const { status, log } = await ended;
      t.is(status, 255, log);
      t.regex(log, /trestle: port \d+ is in use/);
    }
  },
);

(HAS_REDIS ? test : test.skip)('a wrong password ends a worker of jobs, too', async (t) => {
  const redis = await startRedis(t, '--requirepass', 'right');
  const args = [MAIN, 'work', '--redis', redis.url, '--jobs', await temporaryDirectory(t), '--graphs', 'none'];
  const worker = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  t.teardown(() => void worker.kill('SIGKILL'));
  const log = worker.stderr.setEncoding('utf8').toArray();
  const [status] = await once(worker, 'close');
  t.is(status, 1);
  t.regex((await log).join(''), /trestle: redis: the server refuses the connection: NOAUTH/);
});

test('a Redis that is not there, or does not answer, does not keep a server from starting', async (t) => {
  for (const port of [await refusingPort(t), await silentPort(t)]) {
    const { server, ended, says, listening } = await start(t, '--redis', `redis://127.0.0.1:${port}`);
    await says('the shared state cannot be reached');
    await says('"msg":"ready"');
    t.is((await fetch(`http://127.0.0.1:${listening()}/otp/routers`)).status, 200);
    server.kill('SIGTERM');
    t.is((await ended).status, 0);
  }
});

test('serving processes start although a directory of graphs cannot be read', async (t) => {
  const graphs = await temporaryDirectory(t);
  await symlink('town', path.join(graphs, 'town'));
  const { says } = await start(t, '--graphs', graphs, '--workers', '2');
  await says('directory left out: it cannot be read: ELOOP');
  await says('"msg":"ready"');
  t.pass();
});

test('an object store that is not there does not keep a server from starting', async (t) => {
  const endpoint = `http://127.0.0.1:${await refusingPort(t)}`;
  const where = ['--graphs', 's3://bucket/prefix', '--cache', 'cache', '--s3Endpoint', endpoint];
  const { server, ended, says, listening } = await start(t, ...where, '--router', 'town', '--followSeconds', '1');
  await says('cannot be read');
  await says('router not loaded');
  await says('"msg":"ready"');
  t.is((await fetch(`http://127.0.0.1:${listening()}/otp/routers/town`)).status, 404);
  server.kill('SIGTERM');
  t.is((await ended).status, 0);
});

test('an object store of jobs that is not there does not keep a server from starting', async (t) => {
  const where = ['--jobs', 's3://bucket/prefix', '--s3Endpoint', `http://127.0.0.1:${await refusingPort(t)}`];
  const { server, ended, says, listening } = await start(t, ...where, ...EMPTY);
  await says('jobs could not be read or written');
  await says('"msg":"ready"');
  t.is((await fetch(`http://127.0.0.1:${listening()}/otp/routers`)).status, 200);
  server.kill('SIGTERM');
  t.is((await ended).status, 0);
});

for (const workers of ['1', '2']) {
  test(`SIGTERM while a server starts ends it at once with --workers ${workers}`, async (t) => {
    const redis = `redis://127.0.0.1:${await silentPort(t)}`;
    const { server, ended, says } = await start(t, '--redis', redis, '--workers', workers, ...EMPTY);
    // Written before it connects.
    await says('anybody who reaches this server');
    const asked = performance.now();
    server.kill('SIGTERM');
    const { status, signal } = await ended;
    t.deepEqual([status, signal], [0, null]);
    t.true(performance.now() - asked < 10_000);
  });
}

test('SIGTERM while a server waits for its object store ends it at once', async (t) => {
  const endpoint = `http://127.0.0.1:${await silentPort(t)}`;
  const where = ['--graphs', 's3://bucket/prefix', '--cache', path.join('cache'), '--s3Endpoint', endpoint];
  const { server, ended, says } = await start(t, ...where);
  await says('"msg":"listening"');
  server.kill('SIGTERM');
  const { status, log } = await ended;
  t.is(status, 0);
  t.regex(log, /stopped before the server was ready/);
  t.notRegex(log, /"msg":"ready"/);
});
