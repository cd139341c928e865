/** Why a request has no usable answer. */

import { pauseAfter } from '../../pauses.js';

/**
 * `unreachable`: no answer at all; `busy`: too many requests; `late`: no answer in time; `offMap`: a place is outside the
 * map, or no street is near it; `gone`: the server no longer has the router; `refused`: the server says why.
 */
export interface Problem {
  readonly kind: 'unreachable' | 'busy' | 'late' | 'offMap' | 'gone' | 'refused';
  /** The server's own text, in English. */
  readonly text?: string;
  /** The code at its beginning, where docs/api.md lists one. */
  readonly code?: string;
}

/** The first pause is enough for a server that is started again at once. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

/** The pause before a failed request is sent again, after this many failures in a row, milliseconds. */
export const retryPause = (failures: number) => pauseAfter(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

export class RequestFailed extends Error {
  constructor(
    readonly problem: Problem,
    /** That of the answer, if there is one. */
    readonly status?: number,
  ) {
    super(problem.text ?? problem.kind);
  }
}

/** Whether a server has refused the request that failed: it would do so again. The map library's errors have a status too. */
export function isRefused(error: object): boolean {
  const { status = 0 } = error as { readonly status?: number };
  return status >= 400 && status < 500 && status !== 429;
}

/** Whether the same request may be answered a little later although the user changes nothing. */
export function isTemporary({ kind }: Problem): boolean {
  return kind === 'unreachable' || kind === 'busy';
}

/** Whether the server has refused a request with a code. */
export function isRefusedWith(error: unknown, code: string): boolean {
  return error instanceof RequestFailed && error.problem.code === code;
}

/** The problem behind an error. Browsers reject requests to servers that do not answer with a `TypeError`. */
export function problemOf(error: unknown): Problem {
  if (error instanceof RequestFailed) return error.problem;
  if (error instanceof DOMException && error.name === 'TimeoutError') return { kind: 'late' };
  if (error instanceof TypeError) return { kind: 'unreachable' };
  return { kind: 'refused', text: error instanceof Error ? error.message : String(error) };
}

/** How searches other than plans begin the text about a place that they cannot find. */
const OFF_MAP = 'VertexNotFoundException: ';

/** How the interface answers requests about a router that the server does not have. */
const GONE = /^Graph id '.*' not registered/s;

/** The problem that an answer with an error status describes. */
export function problemOfStatus(status: number, text: string): Problem {
  if (status === 503 || status === 429) return { kind: 'busy' };
  if (status === 502 || status === 504) return { kind: 'unreachable' };
  if (text.startsWith(OFF_MAP)) return { kind: 'offMap' };
  if (status === 404 && GONE.test(text)) return { kind: 'gone' };
  const [, code] = /^([A-Z]+(?:_[A-Z]+)+): /.exec(text) ?? [];
  return { kind: 'refused', text: text.trim() === '' ? `status ${status}` : text.trim(), ...(code && { code }) };
}
