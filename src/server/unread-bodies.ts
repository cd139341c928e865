/**
 * Bodies of requests that are answered before all of the body has arrived. Many clients send all of a body before they
 * read the answer, so they would see a broken connection if the server stopped reading.
 */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that are still read after the answer. */
const MAX_UNREAD_BYTES = 128 * 1024 ** 2;
/** How long they may take to arrive. */
const MAX_UNREAD_MS = 30_000;
const CHECK_MS = 100;

/**
 * Reads the rest of a body and throws it away, then calls `done`. Cuts the connection when there is too much of it, or
 * when it takes too long.
 */
export function readRest(request: IncomingMessage, socket: Socket, done: () => void): void {
  const start = socket.bytesRead;
  const until = performance.now() + MAX_UNREAD_MS;
  // The previous reader may have paused the body.
  request.resume();
  const timer = setInterval(() => {
    if (request.complete) done();
    else if (socket.bytesRead - start <= MAX_UNREAD_BYTES && performance.now() < until && !socket.destroyed) return;
    else socket.destroy();
    clearInterval(timer);
  }, CHECK_MS);
  timer.unref();
}
