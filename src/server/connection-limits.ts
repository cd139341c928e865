/** Bounds on connections, so that slow or silent clients cannot hold the server. */

import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes per second that a client must send on average while its body is being read. */
const LEAST_UPLOAD_RATE = 1024;
const KEEP_ALIVE_MS = 65_000;
/** Most connections of a process, if it may have enough files open. */
const MAX_CONNECTIONS = 10_000;
/** A request may open a file in addition to its connection. */
const FILES_PER_CONNECTION = 2;
/** Files that a process needs besides: graphs, logs, connections to others, the modules of the program. */
const OTHER_FILES = 256;
const FEWEST_CONNECTIONS = 16;
/** A connection without traffic is closed after this time, unless its client waits for an answer. */
const STILL_MS = 300_000;

/** How often the runtime checks for connections whose time is over, as an option of a new server. */
export const CONNECTION_CHECKS = { connectionsCheckingInterval: 1000 } as const;

/**
 * How many connections a process may have, by the limits of the system, so that clients cannot use up its files. Without
 * any left, it fails to load parts of the program that it needs for the first time, and the runtime remembers that it has
 * failed: such requests would fail until the next start.
 */
export function mostConnections(limits = limitsOfProcess()): number {
  const openFiles = /^Max open files +(\d+)/m.exec(limits)?.[1];
  if (openFiles === undefined) return MAX_CONNECTIONS;
  const affordable = Math.floor((Number(openFiles) - OTHER_FILES) / FILES_PER_CONNECTION);
  return Math.max(FEWEST_CONNECTIONS, Math.min(MAX_CONNECTIONS, affordable));
}

/** What Linux says about the limits of this process; other systems allow many open files. */
function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return '';
  }
}

interface ConnectionLimits {
  /** Bounds the headers; bodies need a least rate instead. */
  readonly requestTimeoutMs: number;
  readonly stillMs?: number | undefined;
  readonly maxConnections: number;
}

export function applyConnectionLimits(server: Server, limits: ConnectionLimits): void {
  const { requestTimeoutMs, stillMs = STILL_MS, maxConnections } = limits;
  server.headersTimeout = requestTimeoutMs;
  // Large graphs take long to upload, so the rate is checked and not the whole time.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = maxConnections;
  server.timeout = stillMs;
  server.on('request', (request, response) => {
    response.on('timeout', (socket) => {
      // A build may take any time. A client that does not send or read in time is disconnected.
      if (request.complete && socket.writableLength === 0) socket.setTimeout(stillMs);
      else socket.destroy();
    });
    const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
    if (hasBody) watchRate(request.socket, () => request.complete || request.destroyed, requestTimeoutMs);
  });
}

function watchRate(socket: Socket, done: () => boolean, periodMs: number): void {
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (done() || socket.destroyed) return clearInterval(timer);
    const received = socket.bytesRead - before;
    before = socket.bytesRead;
    // The server itself pauses a socket when the disk is slower than the client.
    if (received * 1000 < LEAST_UPLOAD_RATE * periodMs && !socket.isPaused()) {
      clearInterval(timer);
      const answer = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
      socket.end(answer, () => socket.destroy());
    }
  }, periodMs);
  timer.unref();
}
