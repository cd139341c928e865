/** A real Redis on this machine, which keeps nothing on disk. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { isThere } from './needs.js';
import { listensOn, SocketFront } from './socket-front.js';
import { temporaryDirectory } from './temporary-directory.js';

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
  const socket = path.join(await temporaryDirectory(t), 'redis');
  const front = new SocketFront(socket);
  let server: ChildProcess | undefined;
  const start = async () => {
    await rm(socket, { force: true });
    const args = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', ...options];
    await listensOn(socket, () => {
      server = spawn(PROGRAM, args, { stdio: 'ignore' });
    });
    await front.open();
  };
  const kill = async () => {
    const running = server;
    server = undefined;
    if (running === undefined) return;
    running.kill('SIGKILL');
    await Promise.all([once(running, 'exit'), front.close()]);
  };
  t.teardown(kill);
  await start();
  return {
    url: `redis://127.0.0.1:${front.port}`,
    start,
    kill,
    hang: () => void server?.kill('SIGSTOP'),
    goOn: () => void server?.kill('SIGCONT'),
  };
}
