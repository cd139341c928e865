/** A server of this program in a child process, on a free port of the loopback interface. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A server that was started. */
export interface OwnServer {
  /** Address with the mount. */
  base: string;
  pid: number;
  /** Stops it and waits until it has ended. */
  stop(): Promise<void>;
}

/** Options of a server to start. */
export interface OwnServerOptions {
  /** The program to run with `serve …`. */
  entry: string;
  graphs: string;
  router: string;
  /** Longest wait until the router answers; a first start may build it. */
  startMs: number;
}

const POLL_MS = 50;
const KEPT_LOG = 2000;

/**
 * Starts a server and waits until its router answers.
 *
 * @throws Error with the end of the server's log when it stops, is too slow, or cannot load the router.
 */
export async function startOwnServer({ entry, graphs, router, startMs }: OwnServerOptions): Promise<OwnServer> {
  const port = await freePort();
  const flags = ['--graphs', graphs, '--router', router, '--port', String(port), '--bindAddress', '127.0.0.1'];
  const child = spawn(
    process.execPath,
    [...process.execArgv, entry, 'serve', ...flags, '--logLevel', 'warn', '--analyst'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  // When its streams have ended too, the log has its last lines.
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  let log = '';
  child.stderr.on('data', (part: Buffer) => {
    log = (log + part.toString('utf8')).slice(-KEPT_LOG);
  });
  const origin = `http://127.0.0.1:${port}`;
  const base = `${origin}/otp`;
  try {
    await ready(child, `${origin}/health/ready`, startMs);
    // A server is ready without the routers that it could not load, and its log says why.
    const { ok } = await fetch(`${base}/routers/${encodeURIComponent(router)}`);
    if (!ok) throw new Error(`the router ${router} could not be loaded`);
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${log}`.trimEnd());
  }
  return { base, pid: child.pid as number, stop };
}

async function ready(child: ChildProcess, url: string, startMs: number): Promise<void> {
  const latest = performance.now() + startMs;
  while (performance.now() < latest) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the server stopped with ${child.signalCode ?? `exit code ${child.exitCode}`}`);
    }
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await setTimeout(POLL_MS);
  }
  throw new Error(`the server did not answer ${url} within ${Math.round(startMs / 1000)} s`);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
