/**
 * A real object store on this machine (`versitygw`, which keeps objects as files), and a proxy with faults before it.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { ObjectStore } from '../../src/publishing/object-store.js';
import { openS3 } from '../../src/publishing/s3-object-store.js';
import { isThere } from './needs.js';
import { listensOn, SocketFront } from './socket-front.js';
import { temporaryDirectory } from './temporary-directory.js';

const PROGRAM = 'versitygw';

/** Whether the program is installed; see CONTRIBUTING.md. */
export const HAS_OBJECT_SERVER = isThere(PROGRAM, spawnSync(PROGRAM, ['--version']).status === 0);

const [ACCESS_KEY, SECRET_KEY] = ['test-access', 'test-secret-key'];

/** The credentials of a client, as environment variables. */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: SECRET_KEY };
Object.assign(process.env, CREDENTIALS);

/** Bucket of the tests. */
const BUCKET = 'graphs';

/** A running object store. */
export interface ObjectServer {
  readonly endpoint: string;
  /** For `--graphs`. */
  readonly address: string;
  /** The file of an object. */
  file(key: string): string;
  /** The store as Trestle sees it, perhaps through a proxy. */
  open(endpoint?: string): Promise<ObjectStore>;
  stop(): Promise<void>;
}

/** Starts a store with an empty bucket; it ends with the test. */
export async function startObjectServer(t: ExecutionContext): Promise<ObjectServer> {
  const directory = await temporaryDirectory(t);
  await mkdir(path.join(directory, BUCKET));
  const socket = path.join(await temporaryDirectory(t), 'store');
  const front = new SocketFront(socket);
  const env = { ...process.env, ROOT_ACCESS_KEY: ACCESS_KEY, ROOT_SECRET_KEY: SECRET_KEY };
  let server: ChildProcess | undefined;
  const stop = async () => {
    const running = server;
    server = undefined;
    if (running === undefined) return;
    running.kill('SIGKILL');
    await Promise.all([once(running, 'exit'), front.close()]);
  };
  t.teardown(stop);
  await listensOn(socket, () => {
    server = spawn(PROGRAM, ['--quiet', '--port', socket, 'posix', directory], { env, stdio: 'ignore' });
  });
  await front.open();
  const endpoint = `http://127.0.0.1:${front.port}`;
  return {
    endpoint,
    address: `s3://${BUCKET}/city`,
    file: (key) => path.join(directory, BUCKET, 'city', key),
    open: (through = endpoint) => openS3({ bucket: BUCKET, prefix: 'city' }, through),
    stop,
  };
}

/** How a request is answered, or fails. */
export type Fault =
  | 'none'
  /** Answered with 503. */
  | 'refused'
  /** The connection breaks before the request reaches the store. */
  | 'broken'
  /** The store carries it out, but the connection breaks before the answer. */
  | 'unanswered'
  /** Half of the answer arrives. */
  | 'cut'
  /** Answered with 507, as by a store without space. */
  | 'full'
  /** Everything takes a second longer. */
  | 'slow';

/** A proxy before a store; `fault` is asked for every request. Its address is the result. */
export async function startFaultProxy(
  t: ExecutionContext,
  endpoint: string,
  fault: (method: string, target: string) => Fault | Promise<Fault>,
): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const kind = await fault(incoming.method ?? '', incoming.url ?? '');
    if (kind === 'broken') incoming.socket.destroy();
    else if (kind === 'refused' || kind === 'full') void refuse(incoming, outgoing, kind);
    else void pass(incoming, outgoing, endpoint, kind).catch(() => incoming.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function refuse(incoming: IncomingMessage, outgoing: ServerResponse, kind: 'refused' | 'full'): Promise<void> {
  incoming.resume();
  await once(incoming, 'end');
  const [status, code] = kind === 'full' ? [507, 'InsufficientStorage'] : [503, 'SlowDown'];
  outgoing.writeHead(status, { 'Content-Type': 'application/xml' });
  outgoing.end(`<Error><Code>${code}</Code><Message>a fault of the test</Message></Error>`);
}

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, endpoint: string, kind: Fault) {
  if (kind === 'slow') await pause(1000);
  const { method, url: target = '', headers } = incoming;
  const onward = request(endpoint + target, { method, headers, agent: false });
  incoming.pipe(onward);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (kind === 'unanswered') return outgoing.destroy();
  outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
  if (kind !== 'cut') return outgoing.end(body);
  // What was written has to be on its way before the connection breaks.
  return outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
}
