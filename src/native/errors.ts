/** The errors of the library. */

import { ADDON_CODES } from './codes.js';

/**
 * What can go wrong; programs match on it, never on messages.
 *
 * - Of any call: `INVALID_REQUEST` (an argument cannot be used), `DISPOSED`, `GRAPH_DAMAGED` (the file does not hold
 *   what was written), `PANIC` (a defect of the library; `cause` has the error).
 * - Of searches: `BUSY` (more searches wait than `configurePool` allows), `ABORTED` (by `signal`), `TIMEOUT` (the
 *   `deadline` passed), `PLACE_NOT_FOUND`, `TOO_LARGE`.
 * - Of `Graph.open`: `GRAPH_IO` (the file cannot be read), `GRAPH_FOREIGN` (it is not a graph), `GRAPH_VERSION` (another
 *   version built it), `GRAPH_TRUNCATED`.
 * - Of `Graph.build`: `INPUT_MISSING`, `INPUT_UNREADABLE`, `CONFIG_INVALID`, `BUILD_OPTION_UNKNOWN`, `OSM_UNREADABLE`,
 *   `ELEVATION_UNREADABLE`, `GTFS_UNREADABLE`, `GTFS_TOO_LARGE`, `GTFS_MISSING_TABLE`, `GTFS_MISSING_COLUMN`, and
 *   `GRAPH_IO` (the graph cannot be written).
 * - Of live data: `REALTIME_INVALID`.
 */
export type ErrorCode = (typeof ADDON_CODES)[number];

/**
 * An error of the library.
 *
 * @example
 * try {
 *   await Graph.open('missing.obj');
 * } catch (error) {
 *   if (error instanceof TrestleError && error.code === 'GRAPH_IO') console.log('there is no graph yet');
 * }
 */
export class TrestleError extends Error {
  override readonly name = 'TrestleError';

  constructor(
    /** What went wrong. */
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const KNOWN: ReadonlySet<string> = new Set(ADDON_CODES);

/** Codes of the loader's errors about arguments of the wrong type. */
const WRONG_ARGUMENT = /^(InvalidArg|\w+Expected)$/;

/** The loader's names of the types that it expects. */
const EXPECTED: ReadonlyArray<readonly [name: RegExp, inWords: string]> = [
  [/^[iuf]\d+$|^[iu]size$/, 'a number'],
  [/^bool$/, 'true or false'],
  [/^String$/, 'a text'],
  [/^Vec\b/, 'a list'],
];

/** A message of the loader in the words of JavaScript; others as they are. */
function readable(message: string): string {
  const [, given, expected = '', member] =
    /^Failed to convert napi value (\w+) into rust type `([^`]+)`(?: on (\S+))?/.exec(message) ?? [];
  const inWords = EXPECTED.find(([name]) => name.test(expected))?.[1];
  if (inWords !== undefined) return `${member ?? 'an argument'}: ${inWords} is expected, not ${given}`;
  const [typedArray, where] = /^Get TypedArray info failed(?: on (\S+))?/.exec(message) ?? [];
  return typedArray === undefined ? message : `${where ?? 'an argument'}: a typed array is expected`;
}

/** The error as one of the library. An error without a code of the addon is a panic that was caught. */
export function asTrestleError(error: unknown): TrestleError {
  if (error instanceof TrestleError) return error;
  const { code = '', message = String(error) } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'string' && KNOWN.has(code)) return new TrestleError(code as ErrorCode, message);
  const isWrongArgument = error instanceof TypeError || (typeof code === 'string' && WRONG_ARGUMENT.test(code));
  if (isWrongArgument) return new TrestleError('INVALID_REQUEST', readable(message));
  return new TrestleError('PANIC', message, { cause: error });
}
