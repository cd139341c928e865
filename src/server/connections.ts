/**
 * The connections of a port: the requests of each are answered one after the other, and each is closed only when its
 * answers have gone out and, within limits, the last body has come in.
 */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { readRest } from './unread-bodies.js';

/** Requests that may wait on a connection until the one before them is answered. */
const MOST_WAITING = 16;

/**
 * The answer of `onIncoming` that makes the runtime's reader of requests stop and treat the rest as something other
 * than HTTP.
 */
const STOP_READING = 2;

/** Connections that are kept free for new clients while others are idle: this share of the limit, but only a few. */
const FREE_SHARE = 0.25;
const MOST_FREE = 16;

/** Bytes per second with which a body has to arrive on average while few connections are left. */
const LEAST_CROWDED_RATE = 16 * 1024;

/** The runtime's reader of a connection; after the head of each request it asks `onIncoming` how to continue. */
interface Reader {
  onIncoming?: () => number;
}

export class Connections {
  /** Those that are idle in the order in which they became it. */
  readonly #all = new Set<Connection>();
  /** Also those in the TLS handshake. */
  #open = 0;
  /** Those in the TLS handshake by client and port, with its beginning by the clock of `performance`. */
  readonly #handshakes = new Map<string, { readonly socket: Socket; readonly since: number }>();
  /** Those that were closed to make room, until they are gone. */
  readonly #leaving = new Set<Connection | Socket>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** Makes room once connections may be closed that became idle just now. */
  #roomSoon: NodeJS.Timeout | undefined;
  #stopping = false;
  /** Milliseconds that a connection has to be idle before it makes room: its next request may be on its way. */
  leastIdleMs = 100;
  /** Milliseconds that a client has for the head of a request, or a handshake, before its connection makes room. */
  leastHeadMs = 2000;
  /** Milliseconds that a body may arrive at any rate before its connection makes room. */
  leastBodyMs = 2000;

  constructor(
    readonly server: Server,
    private readonly handler: RequestListener,
  ) {
    const isTls = server instanceof TlsServer;
    server.on('connection', (socket: Socket) => {
      this.#open += 1;
      const client = clientOf(socket);
      if (isTls) this.#handshakes.set(client, { socket, since: performance.now() });
      socket.once('close', () => {
        this.#open -= 1;
        this.#leaving.delete(socket);
        if (this.#handshakes.get(client)?.socket === socket) this.#handshakes.delete(client);
      });
      this.#makeRoom();
    });
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => this.#add(socket));
    server.on('request', (request, response) => this.#bySocket.get(request.socket)?.take(request, response));
  }

  /**
   * Accepts no more connections. Each connection closes when it has nothing left to send; resolves when the last one
   * has closed. The server's own `close` would take an answer as sent when it was passed to the socket, and cut it off.
   */
  stop(): Promise<void> {
    this.#stopping = true;
    const closed = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this.server, () => resolve());
    });
    for (const connection of this.#all) connection.closeIfIdle();
    return closed;
  }

  /** Closes all connections, even those with an answer to send. */
  cut(): void {
    for (const { socket } of this.#all) socket.destroy();
    // Connections that are still in the TLS handshake.
    this.server.closeAllConnections();
  }

  #add(socket: Socket): void {
    this.#handshakes.delete(clientOf(socket));
    const connection: Connection = new Connection(socket, this.handler, {
      isStopping: () => this.#stopping,
      onIdle: () => {
        if (this.#all.delete(connection)) this.#all.add(connection);
        if (this.#isCrowded()) this.#makeRoomSoon();
      },
    });
    this.#all.add(connection);
    this.#bySocket.set(socket, connection);
    socket.once('close', () => {
      this.#all.delete(connection);
      this.#leaving.delete(connection);
    });
  }

  /**
   * Closes the connections that have been idle for longest when the system would soon accept no more: clients without a
   * proxy may hold all of them, and health checks need new ones. It also closes those whose request or TLS handshake has
   * been arriving for a long time, and those whose body arrives slowly. Others are looked at again later: the runtime
   * itself refuses connections beyond the limit, so no new one would show that room is needed.
   */
  #makeRoom(): void {
    if (!this.#isCrowded()) return;
    const now = performance.now();
    let isAnyLater = false;
    for (const { socket, since } of this.#handshakes.values()) {
      if (since + this.leastHeadMs > now) isAnyLater = true;
      else this.#leaving.add(socket.destroy());
      if (!this.#isCrowded()) return;
    }
    for (const connection of this.#all) {
      const from = connection.makesRoomFrom(this);
      if (from === undefined) continue;
      if (from > now) isAnyLater = true;
      else if (connection.leave()) this.#leaving.add(connection);
      if (!this.#isCrowded()) return;
    }
    if (isAnyLater) this.#makeRoomSoon();
  }

  #makeRoomSoon(): void {
    this.#roomSoon ??= setTimeout(() => {
      this.#roomSoon = undefined;
      // After a long task timers come first, and then the requests that have arrived during it.
      setImmediate(() => this.#makeRoom());
    }, this.leastIdleMs).unref();
  }

  /** Whether fewer connections are left than should be free, apart from those that are being closed. */
  #isCrowded(): boolean {
    const most = this.server.maxConnections;
    return this.#open - this.#leaving.size > most - Math.min(MOST_FREE, most * FREE_SHARE);
  }
}

function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** What connections are told, and what they tell. */
interface Port {
  isStopping(): boolean;
  onIdle(): void;
}

/** Milliseconds after which connections make room. */
interface LeastTimes {
  readonly leastIdleMs: number;
  readonly leastHeadMs: number;
  readonly leastBodyMs: number;
}

type Exchange = readonly [request: IncomingMessage, response: ServerResponse];

class Connection {
  #current: Exchange | undefined;
  #waiting: Exchange[] = [];
  #isLast = false;
  /** The request that was answered last, whose body may still be arriving. */
  #answered: IncomingMessage | undefined;
  /** Closes the connection once this body has been read. */
  #close: (() => void) | undefined;
  /** Bytes that had arrived when there was nothing to answer; any further bytes begin a request. */
  #bytesAtRest: number;
  #isClosing = false;
  /** Closes the connection when its answers have gone out, whatever it still receives. */
  readonly #leave: () => void;
  #isLeaving = false;
  /**
   * Since when there has been nothing to answer and no byte of the last body has come, by the clock of `performance`.
   */
  #idleSince = performance.now();
  /** When a request was noticed whose head is still arriving, by the same clock. */
  #headSince: number | undefined;
  /** When the head of the present request had arrived, by the same clock, and with which bytes of the connection. */
  #headEnd = 0;
  #bytesAtHead = 0;

  constructor(
    readonly socket: Socket,
    private readonly handler: RequestListener,
    private readonly port: Port,
  ) {
    this.#bytesAtRest = socket.bytesRead;
    this.#leave = socket.destroySoon.bind(socket);
    // The runtime calls it too, after the last answer of a connection.
    socket.destroySoon = () => this.#closeAfterBody();
    socket.once('close', () => {
      this.#waiting = [];
    });
  }

  /**
   * Answers a request when it is its turn. A client that sends more and more without waiting for answers gets the
   * present one and then has to connect again, because the runtime would accept all requests and keep them in memory.
   */
  take(...exchange: Exchange): void {
    if (this.#isLast) return;
    if (this.#current === undefined) this.#answer(exchange);
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(exchange);
    else this.#endWithPresent(this.#current[1]);
  }

  /** Closes the connection unless it is closing, or has an answer to send or a request to receive. */
  closeIfIdle(): boolean {
    if (!this.#isIdle() || this.#isClosing) return false;
    this.#isClosing = true;
    this.socket.destroySoon();
    return true;
  }

  /**
   * When it may `leave`, by the clock of `performance`; undefined while it has an answer to send to a client that has
   * sent all of its request.
   */
  makesRoomFrom({ leastIdleMs, leastHeadMs, leastBodyMs }: LeastTimes): number | undefined {
    if (this.#current !== undefined) return this.#slowFrom(leastBodyMs);
    if (this.#isIdle()) return this.#idleSince + leastIdleMs;
    this.#headSince ??= performance.now();
    return this.#headSince + leastHeadMs;
  }

  /** When the body of the present request becomes a slow one, unless more of it arrives until then. */
  #slowFrom(leastBodyMs: number): number | undefined {
    const [request] = this.#current ?? [];
    // The server itself pauses a socket when the disk is slower than the client.
    if (request === undefined || !isArriving(request) || this.socket.isPaused()) return undefined;
    const received = this.socket.bytesRead - this.#bytesAtHead;
    return this.#headEnd + leastBodyMs + (received / LEAST_CROWDED_RATE) * 1000;
  }

  /** Makes room for other connections, which cannot wait for the rest of a request. Returns whether it did not before. */
  leave(): boolean {
    if (this.#isLeaving) return false;
    this.#isLeaving = true;
    this.#leave();
    return true;
  }

  #isIdle(): boolean {
    return this.#current === undefined && (this.#isBodyArriving() || this.socket.bytesRead === this.#bytesAtRest);
  }

  #isBodyArriving(): boolean {
    return this.#answered !== undefined && isArriving(this.#answered);
  }

  #answer(exchange: Exchange): void {
    const [request, response] = exchange;
    this.#current = exchange;
    this.#answered = request;
    this.#headEnd = performance.now();
    this.#bytesAtHead = this.socket.bytesRead;
    response.once('finish', () => {
      if (!isArriving(request)) return;
      for (const event of ['data', 'end']) request.on(event, () => this.#rest());
      readRest(request, this.socket, () => this.#close?.());
    });
    response.once('close', () => this.#goOn());
    if (this.port.isStopping()) response.setHeader('Connection', 'close');
    this.handler(request, response);
  }

  #goOn(): void {
    this.#current = undefined;
    const next = this.#isLast ? undefined : this.#waiting.shift();
    if (next !== undefined) return this.#answer(next);
    this.#rest();
    if (this.#isLast || this.port.isStopping()) this.socket.destroySoon();
  }

  /** From now on the connection is idle if it has nothing to answer. */
  #rest(): void {
    if (this.#current !== undefined) return;
    this.#bytesAtRest = this.socket.bytesRead;
    this.#idleSince = performance.now();
    this.#headSince = undefined;
    this.port.onIdle();
  }

  /** Closes the connection, but only after the body of the request that was answered last has come in. */
  #closeAfterBody(): void {
    if (!this.#isBodyArriving()) return this.#leave();
    this.#close = this.#leave;
    this.socket.end();
  }

  #endWithPresent(response: ServerResponse): void {
    this.#isLast = true;
    this.#waiting = [];
    this.socket.pause();
    this.#stopReading();
    if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  /**
   * Stops reading requests. A pause would only stop further bytes: the runtime would turn all requests that have
   * arrived, perhaps a thousand, into objects while all other clients wait. The function is not public; without it,
   * reading takes longer but works.
   */
  #stopReading(): void {
    const { parser } = this.socket as Socket & { parser?: Reader | null };
    if (parser) parser.onIncoming = () => STOP_READING;
  }
}

/** Whether a part of a body is still to come; a destroyed request has lost its connection. */
function isArriving({ complete, destroyed }: IncomingMessage): boolean {
  return !complete && !destroyed;
}
