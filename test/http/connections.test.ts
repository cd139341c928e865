import { type EventEmitter, once } from 'node:events';
import { createServer, IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { readText } from '../../src/http/request/small-body.js';
import type { Route } from '../../src/http/route.js';
import { koaApp } from '../../src/server/app.js';
import { hashPassword } from '../../src/server/authenticator.js';
import { mostConnections } from '../../src/server/connection-limits.js';
import { Connections } from '../../src/server/connections.js';
import { listen } from '../../src/server/listen.js';
import { Draining, drain } from '../../src/server/shutdown.js';
import { certificate } from '../support/certificate.js';
import { busTrip, FakeGraph } from '../support/fake-graph.js';
import { gate } from '../support/gate.js';
import { startApp } from '../support/test-app.js';
import { turns } from '../support/turns.js';
import { until } from '../support/until.js';

const PLAN = '/otp/routers/a/plan?fromPlace=0,0&toPlace=1,1';

test('connections leave a process files that it may open', (t) => {
  const limits = (files: string) =>
    `Max processes   96364   96364   processes\nMax open files            ${files}   1048576   files\n`;
  t.is(mostConnections(limits('1024')), 384);
  t.is(mostConnections(limits('90')), 16);
  t.is(mostConnections(limits('1048576')), 10_000);
  t.is(mostConnections(limits('unlimited')), 10_000);
  t.is(mostConnections(''), 10_000);
});

test('HTTPS: the same interface, and credentials are accepted', async (t) => {
  const tls = await certificate(t);
  if (tls === undefined) {
    t.pass();
    return;
  }
  const users = [{ name: 'ada', password: await hashPassword('secret'), roles: ['ROUTERS'] }];
  const { deps } = await startApp(t, [], { flags: { users } });
  const server = await listen(koaApp(deps), { address: '127.0.0.1', port: 0, secure: { port: 0, tls } });
  t.teardown(() => server.close(0));
  const limits = server.ports.map((port) => port.server.maxConnections);
  t.deepEqual(limits, Array(2).fill(Math.floor(mostConnections() / 2)));
  // The header makes the client look remote.
  const headers = { Authorization: `Basic ${btoa('ada:secret')}`, 'X-Forwarded-For': '203.0.113.9' };
  const target = { host: '127.0.0.1', method: 'DELETE', path: '/otp/routers/a', headers, agent: false as const };
  const answer = async (sent: ReturnType<typeof requestHttp>) => {
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    return response.resume();
  };
  const plain = await answer(requestHttp({ ...target, port: server.port }));
  t.is(plain.statusCode, 401);
  const secure = await answer(requestHttps({ ...target, port: server.securePort, rejectUnauthorized: false }));
  t.is(secure.statusCode, 404);
  t.regex(String(secure.headers['strict-transport-security']), /max-age/);
  const impatient = { requestTimeoutMs: 100, secure: { port: 0, tls } };
  const strict = await listen(koaApp(deps), { address: '127.0.0.1', port: 0, ...impatient });
  t.teardown(() => strict.close(0));
  const silent = connect(strict.securePort as number, '127.0.0.1');
  await once(silent.on('error', () => {}).resume(), 'close');
});

// Runs alone: other tests would use up its second.
test.serial('an answer may take long, but a client that does not read it is disconnected', async (t) => {
  const { deps } = await startApp(t, []);
  const [begun, working] = [gate(), gate()];
  const route = { method: 'GET', summary: '', tag: '' } as const;
  const slow: Route['handler'] = async (ctx) => {
    begun.open();
    await working.promise;
    ctx.body = 'done';
  };
  const large: Route['handler'] = (ctx) => {
    ctx.body = Buffer.alloc(64 * 1024 ** 2);
  };
  const app = koaApp(deps, [
    { ...route, path: '/slow', handler: slow },
    { ...route, path: '/large', handler: large },
  ]);
  const server = await listen(app, { address: '127.0.0.1', port: 0, stillMs: 1000 });
  t.teardown(() => server.close(0));
  const answer = fetch(`http://127.0.0.1:${server.port}/otp/slow`).then((response) => response.text());
  await begun.promise;
  const accepted = once(server.ports[0]?.server as EventEmitter, 'connection');
  const unread = connect(server.port, '127.0.0.1').pause();
  unread.on('error', () => {}).write('GET /otp/large HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [connection] = await accepted;
  await once(connection, 'close');
  working.open();
  t.is(await answer, 'done');
  unread.destroy();
});

/** A server whose plans say when they have `begun`, and end when `searching` opens. */
async function listenWithSlowPlans(t: ExecutionContext) {
  const [searching, begun] = [gate(), gate()];
  const graph = new FakeGraph({}, async () => {
    begun.open();
    await searching.promise;
    return busTrip();
  });
  const { deps } = await startApp(t, [{ id: 'a', graph }]);
  const server = await listen(koaApp(deps), { address: '127.0.0.1', port: 0 });
  return { deps, server, begun, searching };
}

test('where clients hold all connections, the one that is idle for longest makes room', async (t) => {
  const { server, begun, searching } = await listenWithSlowPlans(t);
  t.teardown(() => server.close(0));
  const { server: port } = server.ports[0] as Connections;
  port.maxConnections = 8;
  const closed: string[] = [];
  const hold = async (name: string, text = '') => {
    const accepted = once(port, 'connection');
    const socket = connect(server.port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.on('error', () => {}).on('end', () => closed.push(name));
    socket.write(text);
    const refused = once(socket, 'close').then(() => Promise.reject(new Error(`${name} is refused`)));
    await Promise.race([accepted, refused]);
    return socket;
  };
  const request = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const ask = async (socket: Socket) => {
    socket.write(request('/health/live'));
    await once(socket, 'data');
  };
  await hold('busy', request(PLAN));
  await begun.promise;
  const used = await hold('used');
  for (const name of ['first', 'second', 'third', 'fourth']) await hold(name);
  await ask(used);
  // Connections that became idle just now are left alone.
  await pause(150);
  const healths: number[] = [];
  for (let check = 0; check < 4; check += 1) {
    const health = await hold(`check ${check}`, request('/health/live'));
    healths.push((await once(health, 'data')).toString().startsWith('HTTP/1.1 200') ? 200 : 0);
  }
  t.deepEqual(healths, [200, 200, 200, 200]);
  await until(() => closed.length === 4);
  t.deepEqual(closed, ['first', 'second', 'third', 'fourth']);
  searching.open();
});

test('connections that came at once and are idle make room for later ones', async (t) => {
  const { server, begun, searching } = await listenWithSlowPlans(t);
  t.teardown(() => server.close(0));
  const { server: port } = server.ports[0] as Connections;
  // Nothing but room for others closes connections here.
  Object.assign(port, { maxConnections: 8, keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  let closed = 0;
  const hold = (text: string) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.on('close', () => {
      closed += 1;
    });
    // A connection with bytes to read would not close.
    sockets.push(socket.resume());
    socket.write(text);
    return socket;
  };
  const plan = hold(`GET ${PLAN} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await begun.promise;
  // More than there may be, of which half send a request.
  for (let i = 0; i < 20; i += 1) hold(i % 2 === 0 ? '' : 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  // The runtime refuses 13 of the 21, and two of the others leave.
  await until(
    () => closed >= 15,
    () => `${closed} closed`,
  );
  for (let check = 0; check < 3; check += 1) {
    t.is((await fetch(`http://127.0.0.1:${server.port}/health/live`)).status, 200);
  }
  searching.open();
  t.regex(String(await once(plan, 'data')), /^HTTP\/1\.1 200/);
});

test('connections that were answered before all of their body has come make room for later ones', async (t) => {
  const server = await portOf(t, (ctx) => {
    ctx.body = 'done';
  });
  const connections = server.ports[0] as Connections;
  connections.leastIdleMs = 0;
  // Nothing but room for others closes connections here.
  const never = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
  Object.assign(connections.server, { ...never, maxConnections: 8 });
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\n';
  const sent = [
    `${head}Content-Length: 9\r\n\r\nhalf`,
    `${head}Content-Length: 9\r\nConnection: close\r\n\r\nhalf`,
    `${head}Transfer-Encoding: chunked\r\n\r\n7\r\nha`,
  ];
  // Some send a part of the rest, or all of it, after the answer; then they are as idle as the others.
  const rests = ['', 'x', ' body'];
  for (let i = 0; i < 36; i += 1) {
    const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    t.teardown(() => client.destroy());
    client.write(sent[i % 3] as string);
    const [answer] = await Promise.race([once(client, 'data'), once(client, 'end'), once(client, 'close')]);
    t.regex(String(answer), /^HTTP\/1\.1 200/, `connection ${i}`);
    client.resume().write(rests[Math.floor(i / 3) % 3] as string);
  }
});

test('new connections whose requests are on their way do not make room for each other', async (t) => {
  const { server, begun, searching } = await listenWithSlowPlans(t);
  t.teardown(() => server.close(0));
  const connections = server.ports[0] as Connections;
  connections.server.maxConnections = 4;
  // On a busy machine, more than the usual time may pass between the connection and the request.
  connections.leastIdleMs = 60_000;
  const ask = (target: string) => fetch(`http://127.0.0.1:${server.port}${target}`).then(({ status }) => status);
  const plan = ask(PLAN);
  await begun.promise;
  t.deepEqual(await Promise.all([1, 2, 3].map(() => ask('/health/live'))), [200, 200, 200]);
  searching.open();
  t.is(await plan, 200);
});

test('stopping: running requests get their answers, new ones are refused', async (t) => {
  const { deps, server, begun, searching } = await listenWithSlowPlans(t);
  const base = `http://127.0.0.1:${server.port}`;
  const running = fetch(base + PLAN);
  await begun.promise;
  const drained = drain(server.ports, deps.draining, 5000);
  await t.throwsAsync(fetch(`${base}/health/live`));
  searching.open();
  t.is((await running).status, 200);
  t.true(await drained);
});

test('stopping: requests that do not end in time are cut off', async (t) => {
  const begun = gate();
  const graph = new FakeGraph({}, () => {
    begun.open();
    return new Promise(() => {});
  });
  const { deps } = await startApp(t, [{ id: 'a', graph }]);
  const server = await listen(koaApp(deps), { address: '127.0.0.1', port: 0 });
  const running = t.throwsAsync(fetch(`http://127.0.0.1:${server.port}${PLAN}`));
  await begun.promise;
  t.false(await drain(server.ports, deps.draining, 50));
  await running;
});

/** Sends `first`, then a byte every 20 ms; resolves with the received text when the connection closes. */
async function drip(port: number, first: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.setEncoding('latin1').on('data', (text) => {
    answer += text;
  });
  socket.write(first);
  const timer = setInterval(() => socket.write('x'), 20);
  await once(socket, 'close');
  clearInterval(timer);
  return answer;
}

test('clients that send their headers or bodies too slowly are disconnected', async (t) => {
  const { deps } = await startApp(t, [], { flags: { insecure: true } });
  const server = await listen(koaApp(deps), { address: '127.0.0.1', port: 0, requestTimeoutMs: 200 });
  t.teardown(() => server.close(0));
  const head = 'POST /otp/routers/a HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n';
  t.regex(await drip(server.port, `${head}Content-Length: 1000000\r\n\r\n`), /^HTTP\/1.1 408 /);
  const opened = connect(server.port, '127.0.0.1');
  opened.on('error', () => {}).resume();
  opened.write(head);
  await once(opened, 'close');
  t.pass();
});

/** Sends a head and all of `megabytes` before it reads anything; resolves with what came back. */
async function sendThenRead(port: number, head: string, megabytes: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).pause();
  const failed = once(socket, 'error').then(([error]) => {
    throw error;
  });
  const isChunked = head.includes('chunked');
  const piece = Buffer.from(`${isChunked ? '100000\r\n' : ''}${'x'.repeat(2 ** 20)}${isChunked ? '\r\n' : ''}`);
  const sent = (async () => {
    socket.write(`${head}${isChunked ? '' : `Content-Length: ${megabytes * 2 ** 20}\r\n`}\r\n`);
    for (let i = 0; i < megabytes; i += 1) {
      await new Promise<unknown>((resolve) => socket.write(piece, resolve));
    }
    if (isChunked) socket.write('0\r\n\r\n');
    return (await received(socket)).toString();
  })();
  return Promise.race([sent, failed]).finally(() => socket.destroy());
}

test('a client that sends all of its body before it reads gets the answer that refuses it', async (t) => {
  const { deps } = await startApp(t, [{ id: 'a', graph: new FakeGraph({}, async () => busTrip()) }], {
    flags: { insecure: true, analyst: true, maxUploadBytes: 1000 },
  });
  const server = await listen(koaApp(deps), { address: '127.0.0.1', port: 0 });
  t.teardown(() => server.close(0));
  for (const [method, target, type] of [
    ['POST', '/otp/routers/b', 'application/octet-stream'],
    ['POST', '/otp/pointsets/a', 'text/csv'],
    ['POST', '/otp/routers/a/index/graphql', 'application/json'],
    ['POST', '/otp/patch/patch', 'application/json'],
    ['PUT', '/otp/routers/a/scenarios/b', 'application/json'],
  ]) {
    for (const form of ['', 'Transfer-Encoding: chunked\r\n']) {
      const head = `${method} ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${form}`;
      const answer = await sendThenRead(server.port, head, 20);
      t.regex(answer, /^HTTP\/1.1 413 .*the body is larger than \d+ bytes\n$/s, target);
    }
  }
  // Clients that ask for one answer per connection, as Python's do.
  const head = 'POST /otp/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
  t.regex(await sendThenRead(server.port, head, 20), /^HTTP\/1.1 404 .*Not Found\n$/s);
  // But not for ever.
  const endless = sendThenRead(server.port, `${head}Transfer-Encoding: chunked\r\n`, 4096);
  const error = await t.throwsAsync<NodeJS.ErrnoException>(endless);
  t.regex(error?.code ?? '', /^(EPIPE|ECONNRESET)$/);
});

test('a request that ends before its body is read is the mistake of the client', async (t) => {
  let failed: (error: unknown) => void = () => {};
  const failure = new Promise((resolve) => {
    failed = resolve;
  });
  const { port } = await portOf(t, async (ctx) => {
    ctx.req.destroy();
    await readText(ctx, 1000).catch(failed);
  });
  const client = connect(port, '127.0.0.1').on('error', () => {});
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc');
  t.like(await failure, { status: 400 });
});

test('a request has one well-formed host', async (t) => {
  const { base } = await startApp(t, []);
  const port = Number(new URL(base).port);
  const status = async (...lines: string[]) => {
    const socket = connect(port, '127.0.0.1');
    // If the client ended its side now, the server would not wait for it.
    socket.write(`GET /otp/ HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`);
    let answer = '';
    for await (const text of socket.setEncoding('latin1')) answer += text;
    return Number(answer.split(' ')[1]);
  };
  for (const host of ['a', 'a.example:8080', '127.0.0.1', '[::1]:80', '']) {
    t.is(await status(`Host: ${host}`), 200, host);
  }
  for (const host of ['a b', 'a/b', 'user@a', 'a:b', '[::1', '::1', 'a,b c']) {
    t.is(await status(`Host: ${host}`), 400, host);
  }
  t.is(await status(), 400);
  t.is(await status('Host: a', 'Host: b'), 400);
});

/** A port whose answers have a given number of bytes, of which the system accepts few at a time. */
async function portOf(t: ExecutionContext, handle: (ctx: Koa.Context) => Promise<void> | void) {
  const app = new Koa();
  app.use(handle);
  const server = await listen(app, { address: '127.0.0.1', port: 0 });
  t.teardown(() => server.close(0));
  return server;
}

/** The bytes that a raw connection receives until it closes; `slow` reads a piece every few milliseconds. */
async function received(socket: Socket, slow = false): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of socket) {
    parts.push(part);
    if (slow) await pause(2);
  }
  return Buffer.concat(parts);
}

test('stopping: an answer that is being sent is sent to its end', async (t) => {
  const bytes = 20_000_000;
  const server = await portOf(t, (ctx) => {
    ctx.body = Buffer.alloc(ctx.path === '/idle' ? 1 : bytes, 120);
  });
  const socket = connect(server.port, '127.0.0.1');
  const idle = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  idle.write('GET /idle HTTP/1.1\r\nHost: a\r\n\r\n');
  await Promise.all([once(socket, 'readable'), once(idle, 'readable')]);
  const all = received(socket, true);
  const drained = drain(server.ports, new Draining(), 30_000);
  await received(idle);
  t.true(await drained);
  const answer = await all;
  t.is(answer.length - answer.indexOf('\r\n\r\n') - 4, bytes);
});

test('stopping: a request that has partly arrived is still answered', async (t) => {
  const accepted: Socket[] = [];
  const server = await portOf(t, (ctx) => {
    accepted.push(ctx.req.socket);
    ctx.body = 'done';
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  const before = accepted[0]?.bytesRead ?? 0;
  socket.write('GET / HTTP/1.1\r\nHo');
  await until(() => (accepted[0]?.bytesRead ?? 0) > before);
  const drained = drain(server.ports, new Draining(), 30_000);
  socket.write('st: a\r\n\r\n');
  t.regex((await received(socket)).toString(), /^HTTP\/1.1 200 .*Connection: close.*done$/s);
  t.true(await drained);
});

test('requests sent without waiting for answers are answered one after the other', async (t) => {
  let running = 0;
  let most = 0;
  const server = await portOf(t, async (ctx) => {
    running += 1;
    most = Math.max(most, running);
    await pause(1);
    running -= 1;
    ctx.body = `<${ctx.path}>`;
  });
  const socket = connect(server.port, '127.0.0.1');
  const request = (i: number) => `GET /${i} HTTP/1.1\r\nHost: a\r\n${i === 16 ? 'Connection: close\r\n' : ''}\r\n`;
  socket.write(Array.from({ length: 17 }, (_, i) => request(i)).join(''));
  const answers = (await received(socket)).toString().match(/<.*?>/g);
  t.deepEqual(
    answers,
    Array.from({ length: 17 }, (_, i) => `</${i}>`),
  );
  t.is(most, 1);
});

test('a connection that sends more and more without waiting gets one answer and ends', async (t) => {
  let handled = 0;
  const server = await portOf(t, async (ctx) => {
    handled += 1;
    await pause(1);
    ctx.body = 'done';
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1000));
  const answer = await received(socket).catch(() => Buffer.from(''));
  t.true((answer.toString().match(/done/g) ?? []).length <= 1);
  t.true(handled <= 2, `${handled} handled`);
});

test('hardly any of too many requests on a connection are read', async (t) => {
  class Counted extends IncomingMessage {
    static count = 0;
    constructor(socket: Socket) {
      super(socket);
      Counted.count += 1;
    }
  }
  const server = createServer({ IncomingMessage: Counted });
  const finish = gate();
  const connections = new Connections(server, async (_, response) => {
    await finish.promise;
    response.end('done');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => connections.cut());
  t.teardown(() => connections.stop());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1000));
  await until(() => Counted.count > 16);
  // In these turns the server would read the others, if it did.
  await turns(1000);
  finish.open();
  // The present one is answered all the same.
  t.regex((await received(socket)).toString(), /^HTTP\/1.1 200 .*Connection: close.*done$/s);
  t.true(Counted.count < 30, `${Counted.count} read`);
});
