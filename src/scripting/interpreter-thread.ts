/** The thread that a script runs in: an interpreter that has nothing but the language and the `otp` object. */

import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core';
import type { HostAnswer, HostCall, ScriptOutcome, ScriptTask } from './messages.js';
import { PRELUDE } from './prelude.js';

const MAX_STACK_BYTES = 512 * 1024;

/** Longest arguments of one operation, characters of JSON: reading them stops the server for a moment. */
const MAX_ARGUMENTS = 4 * 1024 * 1024;

const task = workerData as ScriptTask;
/** The time of the script starts when the interpreter is there. */
let deadline = Number.POSITIVE_INFINITY;
const isOver = () => Date.now() > deadline;
const TOO_LONG = `the script ran for longer than ${task.limits.timeMs} ms`;

/** Asks the server for an operation and sleeps until it answers. */
function askHost(call: HostCall): HostAnswer {
  const bell = new Int32Array(task.bell);
  task.port.postMessage(call);
  Atomics.wait(bell, 0, 0);
  Atomics.store(bell, 0, 0);
  return receiveMessageOnPort(task.port)?.message as HostAnswer;
}

/** A failure inside the interpreter, in words. */
function describe(context: QuickJSContext, thrown: QuickJSHandle): string {
  const value: unknown = context.dump(thrown);
  if (typeof value !== 'object' || value === null) return `uncaught: ${String(value)}`;
  const { name = 'Error', message = '', stack = '' } = value as { name?: string; message?: string; stack?: string };
  if (message === 'interrupted') return TOO_LONG;
  if (message === 'out of memory') return `the script needs more than ${task.limits.memoryBytes} bytes of memory`;
  const place = /\(?([^\s()]+:\d+(?::\d+)?)\)?/.exec(stack)?.[1];
  return `${name}: ${message}${place === undefined ? '' : ` (${place})`}`;
}

/** A script whose failure has been put into words. */
class ScriptFailure extends Error {}

function unwrap(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
  if (result.error === undefined) return result.value;
  const reason = describe(context, result.error);
  result.error.dispose();
  throw new ScriptFailure(reason);
}

/** The value of the script: that of its last expression or default export; of a promise, what it comes to. */
function scriptValue(context: QuickJSContext, runtime: QuickJSRuntime, evaluated: QuickJSHandle): QuickJSHandle {
  const wanted = task.kind === 'module' ? context.getProp(settled(context, runtime, evaluated), 'default') : evaluated;
  return settled(context, runtime, wanted);
}

function settled(context: QuickJSContext, runtime: QuickJSRuntime, value: QuickJSHandle): QuickJSHandle {
  const jobs = runtime.executePendingJobs();
  if (jobs.error) throw new ScriptFailure(describe(context, jobs.error));
  const state = context.getPromiseState(value);
  if (state.type === 'fulfilled') return state.notAPromise ? value : state.value;
  if (state.type === 'rejected') throw new ScriptFailure(describe(context, state.error));
  // An interruption within the work of a promise ends that work without a word.
  throw new ScriptFailure(isOver() ? TOO_LONG : 'the script waits for something that never happens');
}

function installHost(context: QuickJSContext): void {
  const host = context.newFunction('host', (operation, args) => {
    const length = context.getProp(args, 'length').consume((handle) => context.getNumber(handle));
    if (length > MAX_ARGUMENTS)
      return { error: context.newError(`more than ${MAX_ARGUMENTS} characters of arguments`) };
    const answer = askHost({ operation: context.getString(operation), args: context.getString(args) });
    if ('error' in answer) return { error: context.newError(answer.error) };
    return context.newString(answer.value);
  });
  context.setProp(context.global, '__host', host);
  host.dispose();
}

async function run(): Promise<ScriptOutcome> {
  const { limits, source, fileName, kind } = task;
  const interpreter = await newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));
  const runtime = interpreter.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(MAX_STACK_BYTES);
  deadline = Date.now() + limits.timeMs;
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
    if (error instanceof ScriptFailure) return { error: error.message };
    // The interpreter itself gave up, for example without memory for another value.
    return { error: `the script was stopped: ${(error as Error).message}` };
  }
}

// Nothing is disposed of: the thread ends with the script.
parentPort?.postMessage(await run());
