/**
 * Traces: a request from HTTP through its queue to the kernel, a job to its parts elsewhere, and nothing when it is
 * off.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import { portWhenReady } from '../../src/bench/started-server.js';
import { startTracing, wantsTraces } from '../../src/tracing/start-tracing.js';
import { presentTracer, traced, traceMethods } from '../../src/tracing/trace.js';
import { builtBefore } from '../support/built-graph.js';
import { MAIN } from '../support/command.js';
import { freePort } from '../support/free-port.js';
import { graphsWith } from '../support/graphs-directory.js';
import { placesOver, ROUTING } from '../support/job-town.js';
import { HAS_REDIS, startRedis } from '../support/redis-server.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { type CollectedSpan, startCollector } from '../support/trace-collector.js';
import { until } from '../support/until.js';

const PLAN = 'plan?fromPlace=48.0056,15.0306&toPlace=48.0304,15.0714&date=2026-11-23&time=08:00';
const INTERNAL = 1;
const SERVER = 2;

const town = builtBefore(test, buildSampleTown);

const withRedis = HAS_REDIS ? test : test.skip;

/** Starts a command that goes on, with its log in a pipe; it ends with the test, or when `stop` is called. */
function start(
  t: ExecutionContext,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  node: string[] = [],
) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...inherited } = process.env;
  const child: ChildProcess = spawn(process.execPath, [...node, MAIN, ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  t.teardown(stop);
  return { child, stop };
}

/** A server of the town. */
async function serve(
  t: ExecutionContext,
  env: Readonly<Record<string, string>>,
  more: string[] = [],
  node: string[] = [],
) {
  const graphs = await graphsWith(t, town);
  const args = ['serve', '--graphs', graphs, '--port', '0', '--insecure', '--analyst', ...more];
  const { child, stop } = start(t, args, env, node);
  const base = `http://127.0.0.1:${await portWhenReady(child)}/otp/routers/town`;
  return { base, graphs, stop };
}

const named = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name);

/** The only span with a name, after it has been collected. */
async function one(t: ExecutionContext, spans: readonly CollectedSpan[], name: string): Promise<CollectedSpan> {
  await until(() => named(spans, name).length > 0);
  const found = named(spans, name);
  t.is(found.length, 1, `${name}: ${spans.map((span) => span.name)}`);
  return found[0] as CollectedSpan;
}

test("a plan is traced from HTTP through the wait for its turn to the kernel, as a part of its sender's trace", async (t) => {
  const { endpoint, spans } = await startCollector(t);
  const names = { OTEL_SERVICE_NAME: 'city', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' };
  const { base, stop } = await serve(t, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...names });
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'x-request-id': 'mine' };
  t.is((await fetch(`${base}/${PLAN}`, { headers })).status, 200);
  // What has not been sent yet is sent at the end.
  await stop();

  const request = await one(t, spans, 'GET /routers/:routerId/plan');
  const wait = await one(t, spans, 'wait for a turn: search');
  const search = await one(t, spans, 'search');
  const kernel = await one(t, spans, 'kernel plan');
  for (const span of [request, wait, search, kernel]) t.is(span.traceId, traceId, span.name);
  t.deepEqual([request.parentSpanId, request.kind], [spanId, SERVER]);
  t.deepEqual([wait.parentSpanId, search.parentSpanId], [request.spanId, request.spanId]);
  t.deepEqual([kernel.parentSpanId, kernel.kind], [search.spanId, INTERNAL]);
  t.true(request.from <= wait.from && wait.to <= search.to && kernel.from >= search.from && kernel.to <= search.to);
  t.true(kernel.to > kernel.from && search.to <= request.to);
  t.is(request.attributes['http.response.status_code'], 200);
  t.is(request.attributes['trestle.request_id'], 'mine');
  t.is(request.resource['service.name'], 'city');
  t.is(request.resource['deployment.environment.name'], 'test');
  // Queries say where people live.
  t.notRegex(
    JSON.stringify(spans, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    /48\.0056/,
  );
});

test('a search that fails is marked, and samplers and switches of the usual variables count', async (t) => {
  const { endpoint, spans } = await startCollector(t);
  const { base, stop } = await serve(
    t,
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/v1/traces` },
    ['--maxLongSearchMs', '1'],
  );
  const isochrone = 'isochrone?fromPlace=48.0056,15.0306&date=2026-11-23&time=8:00am&cutoffSec=3600&precisionMeters=10';
  t.is((await fetch(`${base}/${isochrone}`)).status, 504);
  await stop();
  const request = await one(t, spans, 'GET /routers/:routerId/isochrone');
  t.true(request.failed);
  t.true((await one(t, spans, 'kernel isochrone')).failed);

  const { endpoint: other, spans: none } = await startCollector(t);
  const quiet = await serve(t, { OTEL_EXPORTER_OTLP_ENDPOINT: other, OTEL_TRACES_SAMPLER: 'always_off' });
  t.is((await fetch(`${quiet.base}/${PLAN}`)).status, 200);
  await quiet.stop();
  t.deepEqual(none, []);
});

withRedis('the parts of a job belong to the trace of the request that submitted it', async (t) => {
  const { endpoint, spans } = await startCollector(t);
  const { url } = await startRedis(t);
  const jobs = await temporaryDirectory(t);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRESTLE_REDIS: url };
  const { base, graphs, stop } = await serve(t, { ...env, OTEL_SERVICE_NAME: 'server' }, ['--jobs', jobs]);
  const worker = { ...env, OTEL_SERVICE_NAME: 'worker', OTEL_BSP_SCHEDULE_DELAY: '100' };
  const { child: working, stop: stopWorker } = start(
    t,
    ['work', '--jobs', jobs, '--graphs', graphs, '--maxThreads', '1'],
    worker,
  );
  working.stderr?.resume();
  const description = {
    kind: 'matrix',
    origins: placesOver(town, 9),
    destinations: placesOver(town, 3),
    partOrigins: 5,
    routing: ROUTING,
  };
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const answer = await fetch(`${base}/jobs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    body: JSON.stringify(description),
  });
  t.is(answer.status, 201, await answer.clone().text());
  const parts = ((await answer.json()) as { parts: number }).parts;
  await until(() => named(spans, 'make a part').length === parts);
  await Promise.all([stop(), stopWorker()]);

  const submitted = await one(t, spans, 'submit a job');
  const request = await one(t, spans, 'POST /routers/:routerId/jobs');
  t.deepEqual([submitted.traceId, submitted.parentSpanId], [traceId, request.spanId]);
  const made = named(spans, 'make a part');
  t.deepEqual(
    made.map(({ attributes }) => Number(attributes['trestle.part'])).sort((a, b) => a - b),
    [...Array(parts).keys()],
  );
  for (const span of [...made, ...named(spans, 'wait in the queue')]) {
    t.deepEqual([span.traceId, span.parentSpanId], [traceId, submitted.spanId], span.name);
    t.is(span.resource['service.name'], 'worker');
  }
  t.is(named(spans, 'wait in the queue').length, parts);
  const searches = named(spans, 'kernel matrix');
  const isTrial = ({ resource }: (typeof searches)[number]) => resource['service.name'] === 'server';
  // The server tries whether the request can be searched.
  t.deepEqual(
    searches.filter(isTrial).map((span) => span.traceId),
    [traceId],
  );
  const kernels = searches.filter((span) => !isTrial(span));
  t.deepEqual(kernels.map(({ parentSpanId }) => parentSpanId).sort(), made.map(({ spanId }) => spanId).sort());
});

test('off: no library is loaded, nothing is wrapped, and work runs as it is', async (t) => {
  const directory = await temporaryDirectory(t);
  const seen = path.join(directory, 'loaded.txt');
  const hooks = path.join(directory, 'hooks.mjs');
  await writeFile(
    hooks,
    `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) { appendFileSync(${JSON.stringify(seen)}, url + '\\n'); return next(url, context); }`,
  );
  const register = path.join(directory, 'register.mjs');
  await writeFile(register, `import { register } from 'node:module'; register(${JSON.stringify(`file://${hooks}`)});`);
  const loaded = async (env: Record<string, string>) => {
    await writeFile(seen, '');
    const { base, stop } = await serve(t, env, [], ['--import', register]);
    t.is((await fetch(`${base}/${PLAN}`)).status, 200);
    await stop();
    const text = await readFile(seen, 'utf8');
    t.true(text.includes('/koa/'), 'modules are seen');
    return text.includes('@opentelemetry') || text.includes('open-telemetry.js');
  };
  t.false(await loaded({}));
  t.false(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: 'true' }));
  const { endpoint } = await startCollector(t);
  t.true(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }));

  t.is(presentTracer(), undefined);
  class Kernel {
    async plan() {
      return 1;
    }
  }
  const { plan } = Kernel.prototype;
  traceMethods(Kernel.prototype, ['plan'], 'kernel');
  t.is(Kernel.prototype.plan, plan);
  t.is(await traced({ name: 'x' }, async () => 5), 5);
});

test('a collector that is gone is reported, and keeps no server from ending', async (t) => {
  const args = ['serve', '--graphs', await graphsWith(t, town), '--port', '0'];
  const gone = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
  const { child } = start(t, args, gone);
  let log = '';
  child.stderr?.on('data', (text) => {
    log += text;
  });
  const base = `http://127.0.0.1:${await portWhenReady(child)}/otp`;
  t.is((await fetch(`${base}/routers`)).status, 200);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  t.is(code, 0, log);
  t.regex(log, /"traces could not be sent"/);
});

test('variables that turn tracing on, and those that are refused', async (t) => {
  t.false(wantsTraces({}));
  t.false(wantsTraces({ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }));
  t.true(wantsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }));
  t.true(wantsTraces({ OTEL_TRACES_EXPORTER: 'otlp' }));
  const graph = { prototype: {} };
  const refused = (environment: Record<string, string>) =>
    t.throwsAsync(startTracing(graph, pino({ level: 'silent' }), environment));
  const grpc = await refused({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  t.is(grpc?.message, 'OTEL_EXPORTER_OTLP_PROTOCOL: expected http/json or http/protobuf, found grpc');
  await refused({ OTEL_TRACES_EXPORTER: 'zipkin' });
  t.is(presentTracer(), undefined);
});
