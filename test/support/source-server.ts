/** A real server for updaters, whose answers can be changed while it runs. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import type { UpdaterConfig } from '../../src/config/router-config.js';

/** The answer of a path: a body, or whatever the function does. */
export type Answer = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

/** A body with an entity tag; requests that know it are answered that nothing has changed. */
export function tagged(body: string | Uint8Array, tag = '"e"'): Answer {
  return (request, response) => {
    response.setHeader('ETag', tag);
    if (request.headers['if-none-match'] === tag) response.writeHead(304).end();
    else response.end(body);
  };
}

/** A running server. */
export interface SourceServer {
  /** For example `http://127.0.0.1:1234`. */
  readonly url: string;
  /** Answers by path; paths that are missing are 404. */
  readonly answers: Record<string, Answer>;
  /** Every request so far: path and query, and its headers. */
  readonly requests: Array<{ path: string; headers: IncomingMessage['headers'] }>;
  /** The requests for a path. */
  count(path: string): number;
}

/** Starts a server; it ends with the test. */
export async function startSource(
  t: Pick<ExecutionContext, 'teardown'>,
  answers: Record<string, Answer> = {},
): Promise<SourceServer> {
  const requests: SourceServer['requests'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const answer = answers[path.split('?')[0] ?? ''];
    if (typeof answer === 'function') answer(request, response);
    else if (answer === undefined) response.writeHead(404).end('nothing here');
    else response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    answers,
    requests,
    count: (path) => requests.filter((seen) => seen.path.split('?')[0] === path).length,
  };
}

/** Updaters that ask for rental stations, vehicles and delays all the time: `/bikes`, `/vehicles` and `/delays`. */
export function polledUpdaters(source: SourceServer) {
  return [
    polledUpdater(source, 'bike-rental', '/bikes', { sourceType: 'city-bikes' }),
    polledUpdater(source, 'vehicle-positions', '/vehicles'),
    polledUpdater(source, 'stop-time-updater', '/delays', { sourceType: 'gtfs-http' }),
  ];
}

/** An updater of the feed `city` that asks for a path all the time. */
export function polledUpdater(
  { url }: SourceServer,
  type: string,
  path: string,
  more: UpdaterConfig = {},
): UpdaterConfig {
  return { type, url: url + path, feedId: 'city', frequencySec: 0.05, purgeExpiredData: false, ...more };
}
