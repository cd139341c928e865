/** The thread that a script runs in: an interpreter that has only the language and the `otp` object. */

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import { MAX_ANSWER } from './limits.js';
import type { Failure, HostAnswer, HostCall, ScriptOutcome, ScriptTask } from './messages.js';
import { PRELUDE } from './prelude.js';

const MAX_STACK_BYTES = 512 * 1024;

/** Longest arguments of one operation, characters of JSON: parsing them blocks the server for a moment. */
const MAX_ARGUMENTS = 4 * 1024 * 1024;

// The TypeScript types used in this project do not include WebAssembly.
declare const WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => object };

/** Memory of the interpreter itself: constants and the stack, and its initial size. */
const INTERPRETER_BYTES = 16 * 1024 * 1024;
const PAGE_BYTES = 65_536;
/** Two gigabytes, the largest memory that the interpreter was compiled for. */
const MAX_PAGES = 32_768;

const task = workerData as ScriptTask;
/** The script's time starts when the interpreter is ready. */
let deadline = Number.POSITIVE_INFINITY;
const isOver = () => performance.now() > deadline;
const TOO_LARGE = `the script needs more than ${task.limits.memoryBytes} bytes of memory`;
const TOO_LONG = `the script ran for longer than ${task.limits.timeMs} ms`;

/** Asks the server to run an operation and sleeps until it answers. */
function askHost(call: HostCall): HostAnswer {
  const bell = new Int32Array(task.bell);
  task.port.postMessage(call);
  // The notification of the previous answer may arrive only now.
  while (Atomics.load(bell, 0) === 0) Atomics.wait(bell, 0, 0);
  Atomics.store(bell, 0, 0);
  return receiveMessageOnPort(task.port)?.message as HostAnswer;
}

/** A failed script, with its message. */
class ScriptFailure extends Error {
  constructor(
    message: string,
    readonly refused = false,
  ) {
    super(message);
  }
}

/** A failure inside the interpreter. */
function failureOf(context: QuickJSContext, thrown: QuickJSHandle): ScriptFailure {
  const reason = describe(context, thrown);
  if (context.typeof(thrown) !== 'object' || context.eq(thrown, context.null)) return new ScriptFailure(reason);
  const refused = context.getProp(thrown, REFUSED).consume((flag) => context.eq(flag, context.true));
  return new ScriptFailure(reason, refused);
}

/** Member of errors that marks an operation's refusal of its arguments. */
const REFUSED = 'refused';

/** A failure inside the interpreter, in words. */
function describe(context: QuickJSContext, thrown: QuickJSHandle): string {
  // Reading takes memory, which the script may have used up.
  const { runtime } = context;
  runtime.setMemoryLimit(-1);
  if (context.eq(thrown, context.null)) return usesAllMemory(runtime) ? TOO_LARGE : 'uncaught: null';
  if (context.typeof(thrown) !== 'object') return `uncaught: ${shortText(context, thrown)}`;
  const [name, message, stack] = ['name', 'message', 'stack'].map((member) =>
    context.getProp(thrown, member).consume((handle) => shortText(context, handle)),
  ) as [string, string, string];
  if (message === 'interrupted') return TOO_LONG;
  if (message === 'out of memory') return TOO_LARGE;
  if (name === '' && message === '') return 'uncaught: an object without a name and a message';
  const place = /\(?([^\s()]+:\d+(?::\d+)?)\)?/.exec(stack)?.[1];
  return `${name || 'Error'}: ${message}${place === undefined ? '' : ` (${place})`}`;
}

/** Without memory for an error object, the interpreter throws null; scripts can throw null too. */
function usesAllMemory(runtime: QuickJSRuntime): boolean {
  const usage = runtime.computeMemoryUsage().consume((handle) => runtime.context?.dump(handle));
  return Number(usage?.memory_used_size) > 0.9 * task.limits.memoryBytes;
}

/** Longest part of an error message that is shown, characters. */
const MAX_SHOWN = 1000;

/** A text or number made by a script, unless it is so long that reading it would take much memory and time. */
function shortText(context: QuickJSContext, handle: QuickJSHandle): string {
  const type = context.typeof(handle);
  if (type === 'number' || type === 'boolean') return context.getString(handle);
  if (type !== 'string') return type === 'undefined' ? '' : type;
  const length = context.getProp(handle, 'length').consume((found) => context.getNumber(found));
  return length > MAX_SHOWN ? `a text of ${length} characters` : context.getString(handle);
}

function unwrap(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
  if (result.error === undefined) return result.value;
  const failure = failureOf(context, result.error);
  result.error.dispose();
  throw failure;
}

/** The value of the script: that of its last expression or default export, or what a promise resolves with. */
function scriptValue(context: QuickJSContext, runtime: QuickJSRuntime, evaluated: QuickJSHandle): QuickJSHandle {
  const wanted = task.kind === 'module' ? context.getProp(settled(context, runtime, evaluated), 'default') : evaluated;
  return settled(context, runtime, wanted);
}

function settled(context: QuickJSContext, runtime: QuickJSRuntime, value: QuickJSHandle): QuickJSHandle {
  const jobs = runtime.executePendingJobs();
  if (jobs.error) throw failureOf(context, jobs.error);
  const state = context.getPromiseState(value);
  if (state.type === 'fulfilled') return state.notAPromise ? value : state.value;
  if (state.type === 'rejected') throw failureOf(context, state.error);
  // An interruption of work in a promise ends that work silently.
  throw new ScriptFailure(isOver() ? TOO_LONG : 'the script waits for something that never happens');
}

function hostError(context: QuickJSContext, { error, refused }: Failure): QuickJSHandle {
  const made = context.newError(error);
  if (refused) context.setProp(made, REFUSED, context.true);
  return made;
}

function installHost(context: QuickJSContext): void {
  const host = context.newFunction('host', (operation, args) => {
    const length = context.getProp(args, 'length').consume((handle) => context.getNumber(handle));
    if (length > MAX_ARGUMENTS)
      return { error: context.newError(`more than ${MAX_ARGUMENTS} characters of arguments`) };
    const answer = askHost({ operation: context.getString(operation), args: context.getString(args) });
    if ('error' in answer) return { error: hostError(context, answer) };
    return context.newString(answer.value);
  });
  context.setProp(context.global, '__host', host);
  host.dispose();
}

/**
 * The memory that the interpreter uses. Its own limit counts objects and texts, but neither the bytes of array buffers
 * nor an incoming answer.
 */
function boundedMemory(): object {
  const bytes = INTERPRETER_BYTES + task.limits.memoryBytes + MAX_ANSWER;
  return new WebAssembly.Memory({
    initial: INTERPRETER_BYTES / PAGE_BYTES,
    maximum: Math.min(MAX_PAGES, Math.ceil(bytes / PAGE_BYTES)),
  });
}

async function run(): Promise<ScriptOutcome> {
  const { limits, source, fileName, kind } = task;
  const { default: interpreterVariant } = await import('@jitl/quickjs-wasmfile-release-sync');
  // TypeScript takes the package for a CommonJS one, whose default export would be the module.
  const variant = newVariant(interpreterVariant as unknown as QuickJSSyncVariant, { wasmMemory: boundedMemory() });
  const interpreter = await newQuickJSWASMModuleFromVariant(variant);
  const runtime = interpreter.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(MAX_STACK_BYTES);
  deadline = performance.now() + limits.timeMs;
  runtime.setInterruptHandler(isOver);
  const context = runtime.newContext();
  try {
    installHost(context);
    const toText = unwrap(context, context.evalCode(PRELUDE, 'prelude.js'));
    const type = kind === 'module' ? 'module' : 'global';
    const evaluated = unwrap(context, context.evalCode(source, fileName, { type }));
    const value = scriptValue(context, runtime, evaluated);
    const text = unwrap(context, context.callFunction(toText, context.undefined, value));
    const length = context.getProp(text, 'length').consume((handle) => context.getNumber(handle));
    if (length > limits.outputLength) {
      return { error: `the value of the script is longer than ${limits.outputLength} characters` };
    }
    return { value: context.getString(text) };
  } catch (error) {
    // An interruption in the middle of a promise can come out as a TypeError.
    if (isOver()) return { error: TOO_LONG };
    if (error instanceof ScriptFailure) return { error: error.message, refused: error.refused };
    // The interpreter itself crashes when there is no memory for another value.
    if (/memory access out of bounds/.test((error as Error).message)) return { error: TOO_LARGE };
    return { error: `the script was stopped: ${(error as Error).message}` };
  }
}

// Nothing has to be disposed of, because the thread ends with the script.
parentPort?.postMessage(await run());
