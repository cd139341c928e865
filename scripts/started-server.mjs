// A server in a folder of its own, for scripts that measure one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/**
 * Starts the program `main` with the `Graph.obj` of a folder as the router `default`, or with the sample town, and waits
 * until `isReady` resolves to true for the address of the server. `tookMs` is how long that was; `flags` are more flags of
 * the command, and `env` is its environment.
 */
export async function startServer({ main, graph, isReady, pauseMs, flags = [], env = process.env }) {
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-measured-'));
  if (graph !== undefined) {
    await mkdir(path.join(directory, 'graphs/default'), { recursive: true });
    await symlink(path.resolve(graph, 'Graph.obj'), path.join(directory, 'graphs/default/Graph.obj'));
  }
  const port = await freePort();
  const root = `http://127.0.0.1:${port}/`;
  const own = ['--basePath', directory, '--bindAddress', '127.0.0.1', '--port', String(port)];
  const begun = performance.now();
  const server = spawn(process.execPath, ['--max-semi-space-size=1', main, 'serve', ...own, ...flags], {
    env,
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  while (!(await isReady(root).catch(() => false))) {
    if (server.exitCode !== null) throw new Error('the server has ended');
    await sleep(pauseMs);
  }
  const tookMs = performance.now() - begun;
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  return { root, pid: server.pid, tookMs, stop };
}
