/** Trip updates that a server sends over a WebSocket; each message adds to the previous ones. */

import type { LookupFunction } from 'node:net';
import type { WebSocket } from 'ws';
import type { TripUpdateOptions } from '../native/types.js';
import { ForbiddenAddress, shownLocation } from './feed-address.js';
import { forgetTripUpdates, logIssues, tripUpdateSource, unreadEntities } from './gtfs-realtime.js';
import { Outcomes } from './outcomes.js';
import { nextPause } from './polling-updater.js';
import type { UpdaterSettings } from './settings.js';
import type { Updater, UpdaterContext, UpdaterStatus } from './updater.js';

/** Largest message that is read. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How long a server may take to accept a connection. */
const TIMEOUT_MS = 5000;
/** A server that has not answered a ping for this long counts as lost, unless the configuration gives another time. */
const HEARTBEAT_SEC = 30;

/** Messages, and bytes of them, that may wait to be applied; beyond that the server has to wait. */
const MOST_WAITING = 1000;
const MOST_WAITING_BYTES = MAX_BYTES;
/** The connection is dropped when the server has not closed it for this long. */
const CLOSE_MS = 1000;

/** Keeps a connection, and makes a new one when it ends. */
export class StreamingUpdater implements Updater {
  readonly type = 'websocket-gtfs-rt-updater';
  readonly className = 'org.opentripplanner.updater.stoptime.WebsocketGtfsRealtimeUpdater';
  readonly description: string;
  readonly #outcomes: Outcomes;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #options: TripUpdateOptions;
  readonly #reconnectMs: number;
  /** 0: no pings are sent. */
  readonly #heartbeatMs: number;
  #socket: WebSocket | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #stopped = false;
  /** Messages still to be applied, in the order in which they arrived. */
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #applying = false;
  /** How often the server had to wait since the last log line about it. */
  #pauses = 0;

  constructor(
    settings: UpdaterSettings,
    private readonly context: UpdaterContext,
  ) {
    this.#url = settings.required('url');
    this.#headers = settings.headers();
    const feedId = settings.text('feedId') ?? '';
    this.#options = {
      feedId,
      source: tripUpdateSource(context),
      differential: true,
      fuzzyTripMatching: settings.flag('fuzzyTripMatching', false),
      purgeExpiredData: settings.flag('purgeExpiredData', true),
    };
    this.#reconnectMs = settings.number('reconnectPeriodSec', 300) * 1000;
    this.#heartbeatMs = Math.max(0, settings.number('heartbeatSec', HEARTBEAT_SEC)) * 1000;
    this.description = `WebsocketGtfsRealtimeUpdater(${shownLocation(this.#url)})`;
    const drop = () => forgetTripUpdates(context, feedId);
    const rule = { description: this.description, staleAfterSec: settings.staleAfterSec(), drop };
    this.#outcomes = new Outcomes(rule, context.logger);
  }

  get status(): UpdaterStatus {
    return this.#outcomes.status;
  }

  start(): void {
    void this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#reconnect);
    clearInterval(this.#heartbeat);
    this.#waiting.length = 0;
    const socket = this.#socket;
    if (socket === undefined) return;
    socket.resume();
    socket.close();
    setTimeout(() => socket.terminate(), CLOSE_MS).unref();
  }

  async #connect(): Promise<void> {
    const { WebSocket: Socket } = await import('ws');
    if (this.#stopped) return;
    let socket: WebSocket;
    try {
      socket = new Socket(this.#url, {
        headers: this.#headers,
        maxPayload: MAX_BYTES,
        handshakeTimeout: TIMEOUT_MS,
        ...this.#limits(),
      });
    } catch (error) {
      // The address is not valid, or the rule does not allow it.
      return this.#ended(error instanceof ForbiddenAddress ? error.message : 'the address is not valid');
    }
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.#watch(socket);
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.#take(socket, new Uint8Array(data));
    };
    socket.onclose = ({ reason }) => void this.#ended(reason);
    // The close event follows; its handler decides what to do.
    socket.onerror = () => {};
    this.#socket = socket;
  }

  /** The addresses that an uploaded configuration may connect to. Redirects are not followed. */
  #limits(): { lookup?: LookupFunction } {
    const { rule, chosenBy } = this.context.access;
    const url = new URL(this.#url.replace(/^ws/i, 'http'));
    if (chosenBy === 'operator' || rule.allowsName(url.hostname)) return {};
    rule.check(url);
    return { lookup: rule.lookup };
  }

  /** Ends a connection whose other end has disappeared. */
  #watch(socket: WebSocket): void {
    if (this.#heartbeatMs === 0) return;
    let answered = true;
    socket.on('pong', () => {
      answered = true;
    });
    this.#heartbeat = setInterval(() => {
      // While the server has to wait, nothing that it sends is read, not even its answers to pings.
      if (socket.isPaused) answered = true;
      if (!answered) return socket.terminate();
      answered = false;
      socket.ping();
    }, this.#heartbeatMs);
    this.#heartbeat.unref();
  }

  async #ended(reason: string): Promise<void> {
    clearInterval(this.#heartbeat);
    if (this.#stopped) return;
    await this.#outcomes.failed(`the connection has ended${reason === '' ? '' : `: ${reason}`}`);
    const wait = nextPause(this.#reconnectMs, this.#outcomes.failuresInARow);
    this.#reconnect = setTimeout(() => void this.#connect(), wait);
    this.#reconnect.unref();
  }

  #take(socket: WebSocket, bytes: Uint8Array): void {
    if (this.#stopped) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    if (!socket.isPaused && this.#isFull()) {
      socket.pause();
      this.#pauses += 1;
      const facts = { updater: this.description, waiting: this.#waiting.length, pauses: this.#pauses };
      this.context.logger[this.#pauses === 1 ? 'warn' : 'debug'](facts, 'messages come faster than they are applied');
    }
    if (!this.#applying) void this.#applyAll();
  }

  #isFull(): boolean {
    return this.#waiting.length >= MOST_WAITING || this.#waitingBytes >= MOST_WAITING_BYTES;
  }

  async #applyAll(): Promise<void> {
    this.#applying = true;
    for (let bytes = this.#waiting.shift(); bytes !== undefined; bytes = this.#waiting.shift()) {
      this.#waitingBytes -= bytes.byteLength;
      await this.#apply(bytes);
      if (this.#socket?.isPaused && this.#waiting.length <= MOST_WAITING / 2 && !this.#isFull()) this.#socket.resume();
    }
    this.#waitingBytes = 0;
    this.#applying = false;
  }

  async #apply(bytes: Uint8Array): Promise<void> {
    const { context } = this;
    this.status.runs += 1;
    try {
      const { messageTime } = await import('./message-time.js');
      const time = messageTime(bytes);
      const report = await context.sink.graph.applyTripUpdates(bytes, this.#options);
      const outcome = {
        counts: logIssues(report, context),
        dataTimestamp: time === undefined ? undefined : time * 1000,
      };
      this.#outcomes.succeeded(outcome, unreadEntities(report));
    } catch (error) {
      if (!this.#stopped) await this.#outcomes.failed((error as Error).message);
    }
  }
}
