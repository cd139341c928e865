/** What a script may use up. */

/** Bounds of one run. */
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

/** Lines that a script may log, and their length. */
export const MAX_LOG_LINES = 200;
/** Longest line of the log, characters. */
export const MAX_LOG_LENGTH = 1000;
