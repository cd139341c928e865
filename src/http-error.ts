/** Errors with an HTTP status. Every other error is a bug and is answered with 500. */

/** Ends a request with a status and a short plain text. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    /** Body, sent as text/plain. */
    readonly text: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(text);
  }
}

/** The server is working at capacity, or the requested resource is not ready yet. */
export class BusyError extends HttpError {
  constructor(text: string, retryAfterSeconds: number) {
    super(503, text, { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) });
  }
}

/** There is no router with this id; the text is part of the interface. */
export class RouterNotFoundError extends HttpError {
  constructor(readonly routerId: string) {
    super(404, `Graph id '${routerId}' not registered.\n`);
  }
}

type Cause = 'STORAGE_FULL' | 'STORAGE_READ_ONLY' | 'STORAGE_DENIED';

const TEXTS: Readonly<Record<Cause, string>> = {
  STORAGE_FULL: "the server's disk is full; nothing was saved",
  STORAGE_READ_ONLY: "the server's disk is read-only; nothing was saved",
  STORAGE_DENIED: 'the server has no permission to write its files; nothing was saved',
};

/** By the runtime's names of the system's errors. */
const BY_NAME: Readonly<Record<string, Cause>> = {
  ENOSPC: 'STORAGE_FULL',
  EDQUOT: 'STORAGE_FULL',
  EFBIG: 'STORAGE_FULL',
  EROFS: 'STORAGE_READ_ONLY',
  EACCES: 'STORAGE_DENIED',
  EPERM: 'STORAGE_DENIED',
};

/** By the numbers at the end of the engine's messages. */
const BY_NUMBER: Readonly<Record<string, Cause>> = {
  1: 'STORAGE_DENIED',
  13: 'STORAGE_DENIED',
  27: 'STORAGE_FULL',
  28: 'STORAGE_FULL',
  30: 'STORAGE_READ_ONLY',
  122: 'STORAGE_FULL',
};

/** The system's errors when a process, or all of them, have as many files and connections open as they may. */
const TOO_MANY_FILES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', '23', '24']);

/** Seconds after which a client may ask again when too many files are open. */
const FILES_RETRY_S = 5;

/** Seconds after which a client may ask again for something in an object store. */
const STORE_RETRY_S = 10;

/** The answer to a request that needs an object store which fails or does not answer. */
export function storeUnusable(): BusyError {
  return new BusyError('STORE_FAILED: the object store cannot be used, try again later\n', STORE_RETRY_S);
}

/**
 * The answer to a request that failed because of the server's disk, its open files or its object store; undefined for
 * any other failure.
 */
export function storageError(error: unknown): HttpError | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'STORE_FULL') return new HttpError(507, 'STORAGE_FULL: the object store is full; nothing was saved\n');
  if (code === 'STORE_FAILED') return storeUnusable();
  const number = /\(os error (\d+)\)/.exec(String(message))?.[1];
  if (TOO_MANY_FILES.has(String(code)) || TOO_MANY_FILES.has(number ?? '')) {
    const text = 'TOO_MANY_FILES: the server has too many files and connections open, try again later\n';
    return new BusyError(text, FILES_RETRY_S);
  }
  const cause = BY_NAME[String(code)] ?? (number === undefined ? undefined : BY_NUMBER[number]);
  return cause === undefined ? undefined : new HttpError(507, `${cause}: ${TEXTS[cause]}\n`);
}
