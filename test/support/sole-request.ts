import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

/** An answer that has been read. */
export interface SoleAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request on a connection of its own, so that each process of a server gets some. It fails when its process is
 * killed; `fetch` may wait for ever when that happens between its connection and its request.
 */
export async function soleRequest(
  port: number,
  method: string,
  path: string,
  { body = '', headers = {} }: { body?: string; headers?: OutgoingHttpHeaders } = {},
): Promise<SoleAnswer> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // After the answer has begun, reading it fails instead.
  sent.on('error', () => {}).end(body);
  const [response] = await answered;
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
