/** Runs a script in a thread of its own, runs the operations that it requests, and stops it when its time is up. */

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ScriptKind } from './language.js';
import { MAX_ANSWER, type ScriptLimits } from './limits.js';
import { type HostAnswer, type HostCall, JsonText, type ScriptOutcome, type ScriptTask } from './messages.js';

/** Operations for scripts, by name; arguments and values are passed as JSON. */
export type ScriptHost = Readonly<Record<string, (...args: never[]) => unknown>>;

/** A script as it was sent. */
export interface Script {
  readonly source: string;
  readonly fileName: string;
  readonly kind: ScriptKind;
}

/** A script that ended in an error, or was stopped. */
export class ScriptError extends Error {
  constructor(
    message: string,
    /** Whether an operation refused the script's arguments. */
    readonly isRefusal = false,
  ) {
    super(message);
  }
}

/** An operation that cannot be performed with the script's arguments. */
export class RefusedCall extends Error {}

/** Milliseconds that the interpreter gets to notice that its time is up. */
const GRACE_MS = 500;

/** Megabytes for the thread besides the interpreter's heap. */
const THREAD_MEGABYTES = 128;

/** Resolves with the text of the script's value. Throws `ScriptError`. */
export async function runScript(
  script: Script,
  host: ScriptHost,
  limits: ScriptLimits,
  signal?: AbortSignal,
): Promise<string> {
  const { port1, port2 } = new MessageChannel();
  const bell = new SharedArrayBuffer(4);
  const task: ScriptTask = { ...script, limits, port: port2, bell };
  const thread = new Worker(new URL('./interpreter-thread.js', import.meta.url), {
    workerData: task,
    transferList: [port2],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEGABYTES },
  });
  port1.on('message', (call: HostCall) => void answer(port1, bell, host, call));
  try {
    const outcome = await ending(thread, limits, signal);
    if ('error' in outcome) throw new ScriptError(outcome.error, outcome.refused);
    return outcome.value;
  } finally {
    port1.close();
    await thread.terminate();
  }
}

async function answer(port: MessagePort, bell: SharedArrayBuffer, host: ScriptHost, call: HostCall): Promise<void> {
  port.postMessage(await perform(host, call));
  const cell = new Int32Array(bell);
  Atomics.store(cell, 0, 1);
  Atomics.notify(cell, 0);
}

async function perform(host: ScriptHost, { operation, args }: HostCall): Promise<HostAnswer> {
  try {
    const work = Object.hasOwn(host, operation) ? host[operation] : undefined;
    if (work === undefined) throw new Error(`there is no operation ${operation}`);
    const value: unknown = await work(...(JSON.parse(args) as never[]));
    const text = value instanceof JsonText ? value.text : JSON.stringify(value ?? null);
    if (Buffer.byteLength(text) > MAX_ANSWER) throw new Error(`the answer is longer than ${MAX_ANSWER} bytes`);
    return { value: text };
  } catch (error) {
    return { error: (error as Error).message.trim(), refused: error instanceof RefusedCall };
  }
}

/** The outcome that the thread reports, or why it had to be stopped. */
function ending(thread: Worker, { timeMs, memoryBytes }: ScriptLimits, signal?: AbortSignal): Promise<ScriptOutcome> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve({ error: `the script ran for longer than ${timeMs} ms` }), timeMs + GRACE_MS);
    const end = (outcome: ScriptOutcome) => {
      clearTimeout(late);
      resolve(outcome);
    };
    thread.once('message', end);
    thread.once('error', (error: Error & { code?: string }) => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      end({ error: memory ? `the script needs more than ${memoryBytes} bytes of memory` : error.message });
    });
    thread.once('exit', (code) => end({ error: `the interpreter ended with code ${code}` }));
    signal?.addEventListener('abort', () => end({ error: 'the client closed the connection' }), { once: true });
  });
}
