/** Messages between the interpreter's thread and the server. */

import type { MessagePort } from 'node:worker_threads';
import type { ScriptKind } from './language.js';
import type { ScriptLimits } from './limits.js';

/** The data that a thread starts with. */
export interface ScriptTask {
  readonly source: string;
  readonly fileName: string;
  readonly kind: ScriptKind;
  readonly limits: ScriptLimits;
  /** Carries requests for operations; the thread sleeps until the answer arrives. */
  readonly port: MessagePort;
  /** One 32-bit cell: 1 when an answer has arrived. */
  readonly bell: SharedArrayBuffer;
}

/** An operation that a script requests. */
export interface HostCall {
  readonly operation: string;
  /** JSON of the arguments. */
  readonly args: string;
}

/** A value that is already JSON text, because it is large. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The error, and whether it is an operation's refusal of the script's arguments. */
export interface Failure {
  readonly error: string;
  readonly refused?: boolean;
}

/** JSON of the value, or an error. */
export type HostAnswer = { readonly value: string } | Failure;

/** The outcome of a script: the text of its value, or an error. */
export type ScriptOutcome = { readonly value: string } | Failure;
