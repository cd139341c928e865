// A Redis for scripts: `redis-server` without a file, at a port of this machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

async function takesConnections(port) {
  const socket = createConnection(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}

/** Starts it and waits until it takes connections. */
export async function startRedis(port) {
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  });
  while (!(await takesConnections(port))) {
    if (redis.exitCode !== null) throw new Error('redis-server did not start');
    await sleep(20);
  }
  return redis;
}
