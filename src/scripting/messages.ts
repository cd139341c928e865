/** What the interpreter's thread and the server say to each other. */

import type { MessagePort } from 'node:worker_threads';
import type { ScriptKind } from './language.js';
import type { ScriptLimits } from './limits.js';

/** What a thread begins with. */
export interface ScriptTask {
  readonly source: string;
  readonly fileName: string;
  readonly kind: ScriptKind;
  readonly limits: ScriptLimits;
  /** Carries requests for operations; the thread sleeps until the answer is there. */
  readonly port: MessagePort;
  /** One 32-bit cell: 1 when an answer is there. */
  readonly bell: SharedArrayBuffer;
}

/** An operation that a script asks for. */
export interface HostCall {
  readonly operation: string;
  /** JSON of the arguments. */
  readonly args: string;
}

/** A value that its maker has already written as JSON, because it is large. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** What went wrong, and whether an operation refused what the script gave it. */
export interface Failure {
  readonly error: string;
  readonly refused?: boolean;
}

/** JSON of the value, or why there is none. */
export type HostAnswer = { readonly value: string } | Failure;

/** How a script ended: the text of its value, or what went wrong. */
export type ScriptOutcome = { readonly value: string } | Failure;
