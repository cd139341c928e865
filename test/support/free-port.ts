import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports that programs get only when they ask for them by number. Systems choose ports for outgoing connections and for
 * port 0 from a higher range, so no other program takes one of these before it is used, or while its program is started
 * again.
 */
const [FIRST, COUNT] = [20_000, 10_000];

/** A free port of this machine, for a program that needs a port number as an argument. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if ((await isKept(port)) && (await isFree(port))) return port;
  }
}

/**
 * Keeps a port from the other tests until this process ends: it takes the UDP port of the same number, which its
 * program does not need.
 */
async function isKept(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  try {
    const listening = once(socket, 'listening');
    socket.bind({ port, address: '127.0.0.1', exclusive: true });
    await listening;
    return true;
  } catch {
    socket.close();
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
