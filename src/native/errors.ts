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

/** Other messages of the loader, with their part that is about the argument. */
const OF_LOADER: ReadonlyArray<readonly [message: RegExp, inWords: string]> = [
  [/^Get TypedArray info failed(?: on (\S+))?/, 'a typed array is expected'],
  [/^Failed to create reference from TypedArray(?: on (\S+))?/, 'a list of whole numbers is expected'],
  [/^Failed to get Array length(?: on (\S+))?/, 'a list is expected'],
  [/^Missing field `([^`]+)`/, 'is missing'],
];

/** A message of the loader in the words of JavaScript; others as they are. */
function readable(message: string): string {
  const [, given, expected = '', member] =
    /^Failed to convert (?:napi value |JavaScript value `)(\w+).* into rust type `([^`]+)`(?: on (\S+))?/s.exec(
      message,
    ) ?? [];
  const type = EXPECTED.find(([name]) => name.test(expected))?.[1];
  if (type !== undefined) return `${member ?? 'an argument'}: ${type} is expected, not ${given}`;
  for (const [form, inWords] of OF_LOADER) {
    const found = form.exec(message);
    if (found) return `${found[1] ?? 'an argument'}: ${inWords}`;
  }
  return shortened(message);
}

/** The longest message: one may quote an argument of any size. */
const LONGEST = 1000;

/** A message without the middle of what it quotes, if that is very long. */
function shortened(message: string): string {
  return message.length <= LONGEST ? message : `${message.slice(0, LONGEST / 2)} … ${message.slice(-LONGEST / 2)}`;
}

/** The error as one of the library. An error without a code of the addon is a panic that was caught. */
export function asTrestleError(error: unknown): TrestleError {
  if (error instanceof TrestleError) return error;
  const { code = '', message: whole = String(error) } = (error ?? {}) as { code?: unknown; message?: string };
  const message = shortened(whole);
  if (typeof code === 'string' && KNOWN.has(code)) return new TrestleError(code as ErrorCode, message);
  const isWrongArgument = error instanceof TypeError || (typeof code === 'string' && WRONG_ARGUMENT.test(code));
  if (isWrongArgument) return new TrestleError('INVALID_REQUEST', readable(whole));
  return new TrestleError('PANIC', message, { cause: error });
}
