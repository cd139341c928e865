// A server in a folder of its own, for scripts that measure one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The command of this checkout. */
export const MAIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

const LONGEST_START_MS = 120_000;
const LONGEST_END_MS = 30_000;

/**
 * Reads the log of a server: resolves with the port that it listens on, or with undefined if the server ends first.
 * Prints warnings, errors, and what is not a line of the log.
 */
function listeningPort(server) {
  return new Promise((resolve) => {
    const lines = createInterface(server.stderr);
    lines.on('line', (line) => {
      if (!/^\{"level":[123]0,/.test(line)) return console.error(line);
      if (line.endsWith('"msg":"listening"}')) resolve(JSON.parse(line).port);
    });
    lines.once('close', resolve);
  });
}

/** The environment in which deployed servers are started. */
export const AS_DEPLOYED = { ...process.env, MALLOC_ARENA_MAX: '2' };

/** Whether the server at an address has its router. */
const hasRouter = async (root) => (await fetch(`${root}otp/routers/default`)).ok;

/**
 * Starts the program `main` with the `Graph.obj` of a folder as the router `default`, or with the sample town, and waits
 * until `isReady` resolves to true for the address of the server, which took `tookMs`. `routerConfig` is the
 * configuration of the router, `flags` are more flags of the command, and `env` is its environment.
 */
export async function startServer(options) {
  const {
    main = MAIN,
    graph,
    routerConfig,
    isReady = hasRouter,
    pauseMs = 100,
    flags = [],
    env = process.env,
  } = options;
  if (graph !== undefined) await access(path.join(graph, 'Graph.obj'));
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-measured-'));
  if (graph !== undefined) {
    const router = path.join(directory, 'graphs/default');
    await mkdir(router, { recursive: true });
    await symlink(path.resolve(graph, 'Graph.obj'), path.join(router, 'Graph.obj'));
    if (routerConfig !== undefined) {
      await writeFile(path.join(router, 'router-config.json'), JSON.stringify(routerConfig));
    }
  }
  // One that was chosen before could be taken by another program, which would then be measured.
  const own = ['--basePath', directory, '--bindAddress', '127.0.0.1', '--port', '0', '--logLevel', 'info'];
  const begun = performance.now();
  const server = spawn(process.execPath, ['--max-semi-space-size=1', main, 'serve', ...own, ...flags], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = listeningPort(server);
  const ended = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGTERM');
    const tooLong = setTimeout(() => server.kill('SIGKILL'), LONGEST_END_MS);
    await ended;
    clearTimeout(tooLong);
    await rm(directory, { recursive: true, force: true });
  };
  const root = `http://127.0.0.1:${await port}/`;
  while (!(await isReady(root).catch(() => false))) {
    const hasEnded = server.exitCode !== null || server.signalCode !== null;
    if (hasEnded || performance.now() - begun > LONGEST_START_MS) {
      await stop();
      throw new Error(hasEnded ? 'the server has ended' : 'the server does not answer');
    }
    await sleep(pauseMs);
  }
  const tookMs = performance.now() - begun;
  return { root, pid: server.pid, tookMs, stop };
}
