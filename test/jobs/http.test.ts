/** Jobs of a server that computes them itself: over HTTP, and over a restart. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { hashesOf, placesOver, ROUTING, rowsOf } from '../support/job-town.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const town = builtBefore(test, buildSampleTown);

/** A server of the town with jobs in a folder. */
async function serve(t: ExecutionContext, jobs?: string, file = town.file): Promise<TestApp> {
  const { Graph } = await loadAddon();
  const maker = { open: (name: string) => Graph.open(name), build: () => Promise.reject(new Error('not here')) };
  const flags = {
    insecure: true,
    analyst: true,
    pointSets: '(none)',
    maxThreads: 1,
    ...(jobs === undefined ? {} : { jobs }),
  };
  const app = await startApp(t, [{ id: 'town', graph: sharedGraph(town.graph), file }], { flags, maker });
  t.teardown(() => app.deps.jobs?.queue.close());
  return app;
}

const JOBS = '/routers/town/jobs';

async function post(
  app: TestApp,
  description: object,
  path = JOBS,
): Promise<{ status: number; body: any; text: string }> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(description) });
  const text = await answer.text();
  return { status: answer.status, text, body: answer.ok && text.startsWith('{') ? JSON.parse(text) : undefined };
}

/** The job once it has ended. */
async function ended(app: TestApp, id: string): Promise<any> {
  const job = () => app.json(`${JOBS}/${id}`);
  await until(async () => ['complete', 'failed', 'cancelled'].includes((await job()).state));
  return job();
}

const matrix = (side = 4, more = {}) => {
  const places = placesOver(town, side);
  return { kind: 'matrix', origins: places, destinations: places, routing: ROUTING, partOrigins: 1, ...more };
};

test('a job is submitted, watched and removed', async (t) => {
  const folder = await temporaryDirectory(t);
  const app = await serve(t, folder);
  const made = await post(app, matrix(4, { name: 'first' }));
  t.is(made.status, 201);
  t.like(made.body, { name: 'first', routerId: 'town', kind: 'matrix', origins: 16, parts: 16, priority: 5 });
  const { id } = made.body;
  const job = await ended(app, id);
  t.like(job, { state: 'complete', originsDone: 16, partsDone: 16, failures: [], result: path.join(folder, id) });
  t.true(job.originsPerSecond > 0);
  t.is(job.remainingSeconds, undefined);
  t.is((await rowsOf(job.result)).length, 16 * 16);
  t.like(JSON.parse(await readFile(path.join(job.result, 'manifest.json'), 'utf8')), { state: 'complete', rows: 256 });
  t.deepEqual(
    (await app.json(JOBS)).map((one: any) => one.id),
    [id],
  );
  t.is((await app.request(`${JOBS}/${id}/resume`, { method: 'POST' })).status, 409);
  t.is((await app.request(`${JOBS}/${id}`, { method: 'DELETE' })).status, 409);
  t.is((await app.json(`${JOBS}/${id}`)).state, 'complete');
  t.is(await (await app.request(`${JOBS}/${id}?remove=true`, { method: 'DELETE' })).text(), 'removed\n');
  t.is((await app.get(`${JOBS}/${id}`)).status, 404);
  t.deepEqual(await app.json(JOBS), []);
});

test('a cancelled job keeps its parts, and has the same result when it is resumed', async (t) => {
  const app = await serve(t, await temporaryDirectory(t));
  const whole = await ended(app, (await post(app, matrix(12))).body.id);
  const { id } = (await post(app, matrix(12))).body;
  await until(async () => (await app.json(`${JOBS}/${id}`)).partsDone > 2);
  t.is((await app.request(`${JOBS}/${id}?remove=true`, { method: 'DELETE' })).status, 409);
  t.is(await (await app.request(`${JOBS}/${id}`, { method: 'DELETE' })).text(), 'cancelled\n');
  const cancelled = await ended(app, id);
  t.is(cancelled.state, 'cancelled');
  t.true(cancelled.partsDone > 2 && cancelled.partsDone < 144, String(cancelled.partsDone));
  t.is((await app.request(`${JOBS}/${id}/resume`, { method: 'POST' })).status, 200);
  t.like(await ended(app, id), { state: 'complete', partsDone: 144 });
  t.deepEqual(await hashesOf(cancelled.result), await hashesOf(whole.result));
});

test('a job that several clients cancel, resume and remove at once is there as a whole or gone', async (t) => {
  const folder = await temporaryDirectory(t);
  const app = await serve(t, folder);
  const change = async (id: string, [method, rest]: readonly [method: string, rest: string]) =>
    (await app.request(`${JOBS}/${id}${rest}`, { method })).status;
  const [cancel, resume, remove] = [
    ['DELETE', ''] as const,
    ['POST', '/resume'] as const,
    ['DELETE', '?remove=true'] as const,
  ];
  for (let round = 0; round < 10; round += 1) {
    const { id } = (await post(app, matrix(4))).body;
    await change(id, cancel);
    await ended(app, id);
    const changes = [resume, remove, resume, cancel, remove, resume, cancel];
    const statuses = await Promise.all(changes.map((one) => change(id, one)));
    t.deepEqual(
      statuses.filter((status) => ![200, 404, 409].includes(status)),
      [],
    );
    if ((await app.get(`${JOBS}/${id}`)).status === 200) {
      await ended(app, id);
      t.is(await change(id, remove), 200);
    }
    t.deepEqual(await readdir(folder), []);
  }
});

test('a job goes on after a restart', async (t) => {
  const folder = await temporaryDirectory(t);
  const first = await serve(t, folder);
  const whole = await ended(first, (await post(first, matrix(12))).body.id);
  const { id } = (await post(first, matrix(12))).body;
  await until(async () => (await first.json(`${JOBS}/${id}`)).partsDone > 2);
  await first.deps.jobs?.queue.close();
  t.like(await first.json(`${JOBS}/${id}`), { state: 'waiting' });
  const second = await serve(t, folder);
  await second.deps.jobs?.queue.open(true);
  t.is((await ended(second, id)).state, 'complete');
  t.deepEqual(await hashesOf(path.join(folder, id)), await hashesOf(whole.result));
});

test('another process of the host sees a job and can end it', async (t) => {
  const folder = await temporaryDirectory(t);
  const [one, other] = [await serve(t, folder), await serve(t, folder)];
  const { id } = (await post(one, matrix(40))).body;
  await until(async () => (await other.json(`${JOBS}/${id}`)).state !== 'waiting');
  t.is((await other.json(`${JOBS}/${id}`)).state, 'running');
  t.is((await one.json(`${JOBS}/${id}`)).state, 'running');
  t.is(await (await other.request(`${JOBS}/${id}`, { method: 'DELETE' })).text(), 'cancelled\n');
  t.is((await ended(other, id)).state, 'cancelled');
});

test('a damaged job is left out, and stops neither the others nor the start of the server', async (t) => {
  const folder = await temporaryDirectory(t);
  const first = await serve(t, folder);
  const { id } = (await post(first, matrix(12))).body;
  await until(async () => (await first.json(`${JOBS}/${id}`)).partsDone > 2);
  await first.deps.jobs?.queue.close();
  for (const [name, text] of [
    ['a-broken-one', '{'],
    ['z-later-one', '{"version":99}'],
  ] as const) {
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, 'job.json'), text);
  }
  const second = await serve(t, folder);
  await second.deps.jobs?.queue.open(true);
  t.is((await ended(second, id)).state, 'complete');
  t.deepEqual(
    (await second.json(JOBS)).map((one: any) => one.id),
    [id],
  );
});

test('jobs that ended long ago are removed with their results', async (t) => {
  const folder = await temporaryDirectory(t);
  const app = await serve(t, folder);
  const ids = [];
  for (let i = 0; i < 2; i += 1) ids.push((await ended(app, (await post(app, matrix(2))).body.id)).id);
  const file = path.join(folder, ids[0], 'status.json');
  const status = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...status, ended: new Date(Date.now() - 31 * 86_400_000).toISOString() }));
  await app.deps.jobs?.queue.open(true);
  t.deepEqual(
    (await app.json(JOBS)).map((one: any) => one.id),
    [ids[1]],
  );
  t.deepEqual(await readdir(folder), [ids[1]]);
});

test('the more urgent of two jobs ends first', async (t) => {
  const app = await serve(t, await temporaryDirectory(t));
  const ids = [];
  for (const priority of [3, 9]) ids.push((await post(app, matrix(10, { priority }))).body.id);
  const [usual, urgent] = [await ended(app, ids[0]), await ended(app, ids[1])];
  t.true(Date.parse(urgent.ended) < Date.parse(usual.ended));
});

test('a job whose parts always fail ends with the origins that it failed for', async (t) => {
  const file = path.join(await temporaryDirectory(t), 'Graph.obj');
  await writeFile(file, await readFile(town.file));
  const app = await serve(t, await temporaryDirectory(t), file);
  const asked = await post(app, matrix(2, { partOrigins: 3 }));
  t.is(asked.status, 201);
  await ended(app, asked.body.id);
  await writeFile(file, 'no longer a graph');
  const failed = await post(app, matrix(2, { partOrigins: 3 }));
  const job = await ended(app, failed.body.id);
  t.is(job.state, 'failed');
  t.deepEqual(
    job.failures.map((one: any) => [one.firstOrigin, one.origins]),
    [
      [0, 3],
      [3, 1],
    ],
  );
  t.regex(job.failures[0].message, /graph/i);
  await rm(file);
  t.is((await post(app, matrix(2))).status, 409);
});

test('jobs are off without a place for them, and refuse what is unknown', async (t) => {
  const off = await serve(t);
  t.is((await off.get(JOBS)).status, 404);
  t.is((await post(off, matrix())).status, 404);
  const app = await serve(t, await temporaryDirectory(t));
  t.is((await app.get('/routers/nowhere/jobs')).status, 404);
  t.is((await post(app, matrix(), '/routers/nowhere/jobs')).status, 404);
  for (const id of ['none', 'a.b', 'UPPER']) t.is((await app.get(`${JOBS}/${id}`)).status, 404, id);
  const refused = await post(app, matrix(2, { kind: 'nothing' }));
  t.is(refused.status, 400);
  t.regex(refused.text, /^kind: /);
  const huge = { kind: 'matrix', origins: placesOver(town, 80), destinations: placesOver(town, 80), partOrigins: 6400 };
  t.is((await post(app, huge)).status, 413);
});

test('a request that no search accepts is refused when the job is submitted', async (t) => {
  const app = await serve(t, await temporaryDirectory(t));
  const refusals = async (description: Record<string, unknown>) => {
    const { status, text } = await post(app, description);
    return `${status} ${text}`;
  };
  const sums = matrix(1, { kind: 'accessibility', cutoffMinutes: [30, 400] });
  const areas = { ...matrix(1, { kind: 'isochrones', cutoffSec: [900] }), destinations: undefined };
  for (const description of [matrix(1), sums, areas]) {
    t.regex(
      await refusals({ ...description, routing: { ...ROUTING, walkSpeed: 0 } }),
      /^400 walkSpeed and bikeSpeed must/,
    );
    t.regex(await refusals({ ...description, routing: { ...ROUTING, boardSlack: -5 } }), /^400 boardSlack: is -5, but/);
  }
  const arriving = { ...ROUTING, arriveBy: true };
  t.regex(await refusals(matrix(1, { routing: arriving })), /^400 arriveBy: a matrix takes a time of departure only/);
  t.regex(
    await refusals({ ...sums, window: 146 }),
    /^400 window and cutoffMinutes together may be at most 545 minutes/,
  );
  t.deepEqual(await app.json(JOBS), []);
  for (const description of [{ ...sums, window: 145 }, areas]) {
    const { status, body } = await post(app, { ...description, routing: arriving });
    t.is(status, 201);
    t.is((await ended(app, body.id)).state, 'complete');
  }
});

test('malicious descriptions are refused, each with its reason', async (t) => {
  const app = await serve(t, await temporaryDirectory(t));
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const headers = { 'Content-Type': 'application/json' };
  const send = async (body: string) => {
    const answer = await app.request(JOBS, { method: 'POST', headers, body });
    return `${answer.status} ${await answer.text()}`;
  };
  const [place] = placesOver(town, 1);
  const routing = { ...ROUTING, toPlace: '1,1' };
  const sums = {
    kind: 'accessibility',
    origins: [place],
    destinations: [place],
    cutoffMinutes: [30],
    routing: ROUTING,
  };
  for (const [body, expected] of [
    [`{"kind":${deep},"origins":[[1,1]]}`, /^400 the body is nested too deeply/],
    [`{"kind":"matrix","origins":${deep},"destinations":"town"}`, /^400 origins: place 1/],
    [JSON.stringify(matrix(1, { origins: '' })), /^400 origins: is empty/],
    [JSON.stringify(matrix(1, { origins: '../../etc/passwd' })), /^400 origins: there is no point set/],
    [JSON.stringify(matrix(1, { scenarios: ['../Graph'] })), /^400 scenarios: there is no scenario/],
    [JSON.stringify(matrix(1, { partOrigins: -1 })), /^400 partOrigins: expected a whole number/],
    [JSON.stringify(matrix(1, { priority: 1e9 })), /^400 priority: expected a whole number/],
    [JSON.stringify(matrix(1, { routing })), /^400 routing.toPlace: unknown key/],
    ['{"__proto__":{"kind":"matrix"},"kind":"matrix","origins":[[1,1]]}', /^400 __proto__: unknown key/],
    ['{"kind":"matrix","origins":[[1e999,1]],"destinations":[[1,1]]}', /^400 origins: place 1 is not/],
    [JSON.stringify({ ...sums, opportunities: ['count', 'count'] }), /^400 opportunities: expected 1 to 50 different/],
    [JSON.stringify({ ...sums, opportunities: ['__proto__'] }), /^400 opportunities: the destinations have no/],
    [JSON.stringify({ ...sums, window: 60, step: 0.001 }), /^400 step: expected a whole number/],
    [JSON.stringify(matrix(1, { window: 60 })), /^400 window: is a member of accessibility jobs, not of matrix jobs/],
    [
      JSON.stringify({ ...sums, maxTimeSec: 600 }),
      /^400 maxTimeSec: is a member of matrix jobs, not of accessibility jobs/,
    ],
  ] as const) {
    t.regex(await send(body), expected, body.slice(0, 100));
  }
  t.deepEqual(await app.json(JOBS), []);
});

test('a job is refused with 507 when there is no space, and with 503 when the store cannot be reached', async (t) => {
  const app = await serve(t, 's3://bucket/jobs');
  const { queue } = app.deps.jobs ?? {};
  for (const [code, expected] of [
    ['ENOSPC', /^507 STORAGE_FULL: the server's disk is full/],
    ['STORE_FULL', /^507 STORAGE_FULL: the object store is full/],
    ['STORE_FAILED', /^503 STORE_FAILED: the object store cannot be used/],
  ] as const) {
    const failure = Object.assign(new Error('at s3://secret'), { code });
    const fails = () => Promise.reject(failure);
    Object.assign(queue ?? {}, { submit: fails, list: fails, get: async () => undefined });
    const { status, text } = await post(app, matrix());
    t.regex(`${status} ${text}`, expected);
    const listed = await app.get(JOBS);
    t.is(listed.status, status);
    t.is(listed.headers.get('Retry-After'), status === 503 ? '10' : null);
  }
});

test('searches of requests come before those of jobs', async (t) => {
  const app = await serve(t, await temporaryDirectory(t));
  const { id } = (await post(app, matrix(30))).body;
  await until(async () => (await app.json(`${JOBS}/${id}`)).partsDone > 0);
  t.regex(await app.deps.metricsText(), /^trestle_job_parts_left [1-9]\d*$/m);
  const places = placesOver(town, 2);
  const query = new URLSearchParams(ROUTING);
  for (let i = 0; i < 10; i += 1) {
    t.is((await post(app, { origins: places, destinations: places }, `/routers/town/matrix?${query}`)).status, 200);
  }
  t.is((await app.json(`${JOBS}/${id}`)).state, 'running');
});

test('only those with the role may see and change jobs', async (t) => {
  const folder = await temporaryDirectory(t);
  const app = await startApp(t, [{ id: 'town', graph: sharedGraph(town.graph), file: town.file }], {
    flags: { jobs: folder },
  });
  t.is((await post(app, matrix())).status, 401);
  t.is((await app.request(`${JOBS}/x`, { method: 'DELETE' })).status, 401);
  t.is((await app.request(`${JOBS}/x/resume`, { method: 'POST' })).status, 401);
  for (const path of [JOBS, `${JOBS}/x`]) t.is((await app.get(path)).status, 401);
});
