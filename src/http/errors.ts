/** Failures that have an HTTP status of their own; every other error is a bug and answers 500. */

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

/** The server is working to capacity, or what was asked for isn't ready yet. */
export class BusyError extends HttpError {
  constructor(text: string, retryAfterSeconds: number) {
    super(503, text, { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) });
  }
}

/** No router of this id; the text is part of the interface. */
export class RouterNotFoundError extends HttpError {
  constructor(readonly routerId: string) {
    super(404, `Graph id '${routerId}' not registered.\n`);
  }
}
