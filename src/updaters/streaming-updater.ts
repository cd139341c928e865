/** Trip updates that a server sends over a WebSocket, each adding to the ones before. */

import { WebSocket } from 'ws';
import { tell } from './gtfs-realtime.js';
import { pause } from './polling-updater.js';
import type { UpdaterSettings } from './settings.js';
import { freshStatus, type Updater, type UpdaterContext, type UpdaterStatus } from './updater.js';

/** Largest message that is read. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How long a server may take to accept a connection. */
const TIMEOUT_MS = 5000;

/** Keeps a connection, and makes a new one when it ends. */
export class StreamingUpdater implements Updater {
  readonly type = 'websocket-gtfs-rt-updater';
  readonly className = 'org.opentripplanner.updater.stoptime.WebsocketGtfsRealtimeUpdater';
  readonly description: string;
  readonly status: UpdaterStatus = freshStatus();
  readonly #url: string;
  readonly #feedId: string;
  readonly #fuzzyTripMatching: boolean;
  readonly #reconnectMs: number;
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #failuresInARow = 0;
  /** Messages are applied in the order they came. */
  #last: Promise<void> = Promise.resolve();

  constructor(
    settings: UpdaterSettings,
    private readonly context: UpdaterContext,
  ) {
    this.#url = settings.required('url');
    this.#feedId = settings.text('feedId') ?? '';
    this.#fuzzyTripMatching = settings.flag('fuzzyTripMatching', false);
    this.#reconnectMs = settings.number('reconnectPeriodSec', 300) * 1000;
    this.description = `WebsocketGtfsRealtimeUpdater(${this.#url})`;
  }

  start(): void {
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, { maxPayload: MAX_BYTES, handshakeTimeout: TIMEOUT_MS });
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.#last = this.#last.then(() => this.#apply(new Uint8Array(data)));
    };
    socket.onclose = ({ reason }) => {
      if (this.#stopped) return;
      this.#fail(`the connection has ended${reason === '' ? '' : `: ${reason}`}`);
      this.#timer = setTimeout(() => this.#connect(), pause(this.#reconnectMs, this.#failuresInARow));
      this.#timer.unref();
    };
    // The event of the end follows, and says what there is to do.
    socket.onerror = () => {};
    this.#socket = socket;
  }

  async #apply(bytes: Uint8Array): Promise<void> {
    const { status, context } = this;
    status.runs += 1;
    try {
      const options = { feedId: this.#feedId, differential: true, fuzzyTripMatching: this.#fuzzyTripMatching };
      status.counts = tell(await context.sink.graph.applyTripUpdates(bytes, options), context);
      status.lastSuccess = Date.now();
      delete status.lastError;
      this.#failuresInARow = 0;
    } catch (error) {
      this.#fail((error as Error).message);
    }
  }

  #fail(message: string): void {
    this.status.failures += 1;
    this.status.lastError = { at: Date.now(), message };
    const level = this.#failuresInARow === 0 ? 'warn' : 'debug';
    this.#failuresInARow += 1;
    this.context.logger[level]({ updater: this.description, reason: message }, 'update failed');
  }
}
