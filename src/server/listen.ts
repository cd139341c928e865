/** Ports: plain HTTP, and HTTPS when there is a key. */

import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';

/** Where to listen. */
export interface ListenOptions {
  address: string;
  /** 0: any free port. */
  port: number;
  /** Same interface over TLS. */
  secure?: { port: number; tls: Pick<ServerOptions, 'pfx' | 'passphrase' | 'key' | 'cert'> };
}

/** A server that accepts connections. */
export interface Listening {
  port: number;
  securePort?: number;
  /** Stops accepting, lets running requests finish for `graceMs`, then cuts the rest. */
  close(graceMs?: number): Promise<void>;
}

const DEFAULT_GRACE_MS = 10_000;

/** Opens the ports; rejects when one is taken. */
export async function listen(app: Koa, options: ListenOptions): Promise<Listening> {
  const handler = app.callback();
  const plain = createHttp(handler);
  const servers: Server[] = [plain];
  const port = await open(plain, options.port, options.address);
  let securePort: number | undefined;
  if (options.secure) {
    const secure = createHttps(options.secure.tls, handler);
    try {
      securePort = await open(secure, options.secure.port, options.address);
    } catch (error) {
      plain.close();
      throw error;
    }
    servers.push(secure);
  }
  return {
    port,
    securePort,
    close: async (graceMs = DEFAULT_GRACE_MS) => {
      await Promise.all(servers.map((server) => close(server, graceMs)));
    },
  };
}

function open(server: Server, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
