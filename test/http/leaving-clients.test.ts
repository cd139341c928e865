/** Clients that leave while they send a body. */

import { once } from 'node:events';
import { connect } from 'node:net';
import test from 'ava';
import pino from 'pino';
import { resolveServerConfig } from '../../src/config/server-config.js';
import { koaApp } from '../../src/server/app.js';
import { createDeps } from '../../src/server/create-deps.js';
import { listen } from '../../src/server/listen.js';
import { until } from '../support/until.js';

const CHUNKED = 'Host: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n';

test('clients that leave before the end of a body leave one line for each request in the log', async (t) => {
  const lines: any[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { config } = resolveServerConfig({ flags: { insecure: true }, environment: {}, basePath: '.' });
  const deps = createDeps(config, logger, {
    open: () => Promise.reject(new Error('this test opens no graphs')),
    build: () => Promise.reject(new Error('this test builds no graphs')),
  });
  const server = await listen(koaApp(deps), { address: '127.0.0.1', port: 0 });
  t.teardown(() => server.close(0));
  const requests = () => lines.filter(({ msg }) => msg === 'request');
  lines.length = 0;
  for (const how of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const before = requests().length;
    const client = connect(server.port, '127.0.0.1').on('error', () => {});
    await once(client, 'connect');
    client.write(`POST /otp/routers/r/matrix HTTP/1.1\r\n${CHUNKED}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    client[how]();
    await until(async () => requests().length > before);
  }
  // What the runtime reports comes before the line of the request, or in the same turn.
  await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(
    lines.map(({ msg, level }) => `${level} ${msg}`),
    Array.from({ length: 3 }, () => '30 request'),
  );
});
