/** A real Redis on this machine, which keeps nothing on disk. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ExecutionContext } from 'ava';
import { freePort } from './free-port.js';
import { isThere } from './needs.js';
import { until } from './until.js';

const PROGRAM = 'redis-server';

/** Whether the program is installed. */
export const HAS_REDIS = isThere(PROGRAM, spawnSync(PROGRAM, ['--version']).status === 0);

/** A Redis that a test stops and starts. */
export interface RedisServer {
  readonly url: string;
  /** Starts it, empty. */
  start(): Promise<void>;
  /** Ends it at once; what it had is lost. */
  kill(): Promise<void>;
  /** It keeps its connections, but does not answer until it goes on. */
  hang(): void;
  goOn(): void;
}

/** A running Redis with further options; it ends with the test. */
export async function startRedis(t: ExecutionContext, ...options: string[]): Promise<RedisServer> {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options];
    server = spawn(PROGRAM, args, { stdio: 'ignore' });
    await until(() => accepts(port));
  };
  const kill = async () => {
    const running = server;
    server = undefined;
    if (running === undefined) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  };
  t.teardown(kill);
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    hang: () => void server?.kill('SIGSTOP'),
    goOn: () => void server?.kill('SIGCONT'),
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(Boolean(socket.destroy())));
    socket.once('error', () => resolve(false));
  });
}
