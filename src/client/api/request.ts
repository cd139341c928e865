/** Requests for JSON, with a limit on their time. */

import { problemOfStatus, RequestFailed } from './problem.js';

/** Longest wait for an answer, milliseconds; searches may take this long on a busy server. */
const LONGEST_WAIT_MS = 30_000;

/** The parsed answer. Rejects with `RequestFailed`, or with what `fetch` rejects with; see `problemOf`. */
export async function requestJson<T>(url: string, init: RequestInit = {}): Promise<T> {
  return (await request(url, init)).json();
}

/** The answer, which has a good status. */
export async function request(
  url: string,
  { signal, ...init }: RequestInit = {},
  longestWaitMs = LONGEST_WAIT_MS,
): Promise<Response> {
  const limit = AbortSignal.timeout(longestWaitMs);
  const response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
  if (!response.ok) throw new RequestFailed(problemOfStatus(response.status, await textOf(response)), response.status);
  return response;
}

/** What the server says about an error. Proxies send pages instead, which are not meant for the user. */
async function textOf(response: Response): Promise<string> {
  return response.headers.get('Content-Type')?.startsWith('text/html') ? '' : response.text();
}
