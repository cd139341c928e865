/**
 * A TCP port before a Unix socket. Programs that have to be told their port listen on a socket in a folder of the test
 * instead, so that no two tests can choose the same port.
 */

import { on, once } from 'node:events';
import { watch } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';

/** The port stays the same when the front is closed and opened again. */
export class SocketFront {
  #server: Server | undefined;
  #port = 0;
  readonly #open = new Set<Socket>();

  constructor(private readonly socket: string) {}

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    this.#server = createServer((client) => this.#join(client)).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** From now on connections are refused; those that are open break. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.close();
    for (const socket of this.#open) socket.destroy();
    await once(server, 'close');
  }

  #join(client: Socket): void {
    const behind = connect(this.socket);
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      this.#open.add(socket);
      socket.setNoDelay?.(true).pipe(other);
      socket.on('error', () => other.destroy());
      socket.once('close', () => {
        this.#open.delete(socket);
        other.destroy();
      });
    }
  }
}

/** Waits until a program listens on a Unix socket that `start` makes it create. */
export async function listensOn(socket: string, start: () => void): Promise<void> {
  const folder = watch(path.dirname(socket));
  // Keeps what changes while a connection is tried.
  const changes = on(folder, 'change');
  try {
    start();
    while (!(await takesConnections(socket))) await changes.next();
  } finally {
    folder.close();
  }
}

async function takesConnections(socket: string): Promise<boolean> {
  for (;;) {
    const connection = connect(socket);
    try {
      await once(connection, 'connect');
      return true;
    } catch (error) {
      // Between binding and listening, which is no event, the file is there and refuses.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') return false;
    } finally {
      connection.destroy();
    }
  }
}
