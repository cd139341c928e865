/** Limits on the resources of a script. */

export interface ScriptLimits {
  /** Milliseconds from start to end, searches included. */
  readonly timeMs: number;
  /** Bytes of the interpreter's heap. */
  readonly memoryBytes: number;
  /** Longest value that a script may return, characters. */
  readonly outputLength: number;
}

/** Longest value that a script may return, characters. */
export const MAX_OUTPUT = 16 * 1024 * 1024;

/** Longest source of a script, bytes. */
export const MAX_SOURCE_BYTES = 1024 * 1024;

/** Most lines that a script may log. */
export const MAX_LOG_LINES = 200;
/** Longest line of the log, characters. */
export const MAX_LOG_LENGTH = 1000;

/** Memory that a script may hold in the server besides its heap, as a multiple of the heap. */
export const HELD_PER_HEAP = 4;

/** Longest answer to an operation of a script, bytes. */
export const MAX_ANSWER = 32 * 1024 * 1024;
