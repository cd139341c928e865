/** Servers of several processes, each of which a test can ask, stop and kill. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import type { ServingProcess } from './cluster-server.js';

const PROGRAM = fileURLToPath(new URL('./cluster-server.js', import.meta.url));

/** A server with its processes. */
export interface TestCluster {
  /** Address of everything below the mount, for each serving process. */
  bases(): string[];
  /** Sends a signal to a serving process. */
  kill(index: number, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Waits until there are as many serving processes as asked for, without those that were stopped. */
  complete(): Promise<void>;
}

/** Starts a server over real graphs; it ends with the test. 0 are one process without a supervisor. */
export async function startCluster(
  t: ExecutionContext,
  graphs: string,
  processes: number,
  flags: object = {},
  rules: object = {},
): Promise<TestCluster> {
  const ports = new Map<number, number>();
  const env = { ...process.env, CLUSTER_FLAGS: JSON.stringify(flags), CLUSTER_MAKER: 'addon' };
  const args = [PROGRAM, graphs, String(processes), JSON.stringify(rules)];
  const server: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
  server.on('message', ({ pid, port }: ServingProcess) => {
    if (port === undefined) ports.delete(pid);
    else ports.set(pid, port);
  });
  const stopped = new Set<number>();
  t.teardown(async () => {
    for (const pid of stopped) if (ports.has(pid)) process.kill(pid, 'SIGCONT');
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGTERM');
    await once(server, 'exit');
  });
  const ended = new AbortController();
  server.once('exit', () => ended.abort());
  const serving = () => [...ports.keys()].filter((pid) => !stopped.has(pid)).length;
  const complete = async () => {
    while (serving() < Math.max(1, processes)) await once(server, 'message', { signal: ended.signal });
  };
  await complete();
  return {
    bases: () => [...ports.values()].map((port) => `http://127.0.0.1:${port}/otp`),
    kill: (index, signal) => {
      const pid = [...ports.keys()][index] ?? 0;
      if (signal === 'SIGSTOP') stopped.add(pid);
      if (signal === 'SIGKILL') ports.delete(pid);
      process.kill(pid, signal);
    },
    complete,
  };
}
