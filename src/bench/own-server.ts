/** A server of this program in a child process, on a free port of the loopback interface. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { within } from '../within.js';
import { portWhenReady } from './started-server.js';

/** A server that was started. */
interface OwnServer {
  /** Address with the mount. */
  base: string;
  pid: number;
  /** Stops it and waits until it has ended. */
  stop(): Promise<void>;
}

interface OwnServerOptions {
  /** The program to run with `serve …`. */
  entry: string;
  graphs: string;
  router: string;
  /** Longest wait until the router answers; a first start may build it. */
  startMs: number;
}

const KEPT_LOG = 2000;
/** Level of warnings in the log. */
const WARNING = 40;

/**
 * Starts a server and waits until its router answers.
 *
 * @throws Error with the warnings and errors of the server's log when it stops, is too slow, or cannot load the router.
 */
export async function startOwnServer({ entry, graphs, router, startMs }: OwnServerOptions): Promise<OwnServer> {
  const flags = ['--graphs', graphs, '--router', router, '--port', '0', '--bindAddress', '127.0.0.1'];
  const child = spawn(
    process.execPath,
    [...process.execArgv, entry, 'serve', ...flags, '--logLevel', 'info', '--analyst'],
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
  const keep = (line: string) => {
    if (isWarning(line)) log = `${log}${line}\n`.slice(-KEPT_LOG);
  };
  try {
    const port = await whenReady(child, keep, startMs);
    const base = `http://127.0.0.1:${port}/otp`;
    // A server is ready without the routers that it could not load, and its log says why.
    const { ok } = await fetch(`${base}/routers/${encodeURIComponent(router)}`);
    if (!ok) throw new Error(`the router ${router} could not be loaded`);
    return { base, pid: child.pid as number, stop };
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${log}`.trimEnd());
  }
}

/** The port of a server as soon as it is ready. */
async function whenReady(child: ChildProcess, onLine: (line: string) => void, startMs: number): Promise<number> {
  const port = await within(
    portWhenReady(child, onLine).catch(() => 'stopped' as const),
    startMs,
  );
  if (port === undefined) throw new Error(`the server was not ready within ${Math.round(startMs / 1000)} s`);
  if (port !== 'stopped') return port;
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  throw new Error(`the server stopped with ${child.signalCode ?? `exit code ${child.exitCode}`}`);
}

/** Whether a line says what is wrong. Lines that are not of the log are messages of the runtime or of the command. */
function isWarning(line: string): boolean {
  return !line.startsWith('{') || JSON.parse(line).level >= WARNING;
}
