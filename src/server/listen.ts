/** Ports: plain HTTP, and HTTPS when there is a key. */

import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { applyConnectionLimits, CONNECTION_CHECKS, mostConnections } from './connection-limits.js';
import { Connections } from './connections.js';
import { Draining, drain } from './shutdown.js';

const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;

interface ListenOptions {
  address: string;
  /** 0: any free port. */
  port: number;
  /** Longest time to send a request's headers. */
  requestTimeoutMs?: number;
  /** Time after which a connection without traffic is closed if no client waits for an answer. */
  stillMs?: number;
  /** Same interface over TLS. */
  secure?: { port: number; tls: Pick<ServerOptions, 'pfx' | 'passphrase' | 'key' | 'cert'> };
}

/** A server that accepts connections. */
export interface Listening {
  port: number;
  securePort?: number;
  ports: readonly Connections[];
  /** Stops accepting, lets running requests finish for `graceMs`, then cuts the rest. */
  close(graceMs: number): Promise<void>;
}

/** Opens the ports; rejects when one is taken. */
export async function listen(app: Koa, options: ListenOptions): Promise<Listening> {
  const handler = app.callback();
  const plain = createHttp(CONNECTION_CHECKS);
  // Throws where the key is not usable, while nothing is open that would have to be closed.
  const handshakeTimeout = options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS;
  const secure = options.secure && createHttps({ ...CONNECTION_CHECKS, handshakeTimeout, ...options.secure.tls });
  const ports = [new Connections(plain, handler)];
  const port = await open(plain, options.port, options);
  let securePort: number | undefined;
  if (options.secure && secure) {
    ports.push(new Connections(secure, handler));
    try {
      securePort = await open(secure, options.secure.port, options);
    } catch (error) {
      plain.close();
      throw error;
    }
  }
  const close = async (graceMs: number) => {
    await drain(ports, new Draining(), graceMs);
  };
  return { port, securePort, ports, close };
}

function open(server: Server, port: number, options: ListenOptions): Promise<number> {
  const { address, requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS, stillMs, secure } = options;
  const maxConnections = Math.floor(mostConnections() / (secure ? 2 : 1));
  applyConnectionLimits(server, { requestTimeoutMs, stillMs, maxConnections });
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      // Nor is an unknown name an address of this machine.
      reject(error.code === 'ENOTFOUND' ? Object.assign(error, { code: 'EADDRNOTAVAIL', address }) : error);
    server.once('error', failed);
    server.listen(port, address, () => {
      server.off('error', failed);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
