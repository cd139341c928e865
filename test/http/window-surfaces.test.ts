/** Surfaces over a window of departures. */

import test from 'ava';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

function serve(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  return startApp(t, [{ id: 'default', graph: sharedGraph(town.graph) }], { flags: { analyst: true } });
}

function path(extra: string): string {
  const { centerLatitude, centerLongitude } = town.graph.info();
  return `/surfaces?batch=true&fromPlace=${centerLatitude},${centerLongitude}&date=2026-11-23&time=8:00am&cutoffMinutes=40${extra}`;
}

async function create(app: TestApp, extra: string): Promise<any> {
  const response = await app.request(path(extra), { method: 'POST' });
  return { status: response.status, answer: response.ok ? await response.json() : await response.text() };
}

test('one surface per percentile, and the first one as the answer', async (t) => {
  const app = await serve(t);
  const { status, answer } = await create(app, '&window=30&percentiles=5,,50, 95,');
  t.is(status, 200);
  t.deepEqual(
    answer.percentiles.map(({ percentile }: any) => percentile),
    ['5', '50', '95'],
  );
  t.is(answer.id, answer.percentiles[0].id);
  t.is(answer.params.window, '30');
  const listed = await app.json('/surfaces');
  t.deepEqual(
    listed.map(({ id }: any) => id),
    answer.percentiles.map(({ id }: any) => id),
  );
  for (const { id } of answer.percentiles) t.is((await app.get(`/surfaces/${id}/isochrone`)).status, 200);
});

test('the median is the default', async (t) => {
  const app = await serve(t);
  const { answer } = await create(app, '&window=10');
  t.deepEqual(
    answer.percentiles.map(({ percentile }: any) => percentile),
    ['50'],
  );
});

for (const [extra, parameter] of [
  ['&window=0', 'window'],
  ['&window=241', 'window'],
  ['&window=x', 'window'],
  ['&window=10&step=5', 'step'],
  ['&window=10&percentiles=101', 'percentiles'],
  ['&window=10&percentiles=median', 'percentiles'],
  ['&window=10&percentiles=,', 'percentiles'],
  [`&window=10&percentiles=${Array(21).fill('5')}`, 'percentiles'],
] as const) {
  test(`400 that names ${parameter}: ${extra.slice(0, 40)}`, async (t) => {
    const { status, answer } = await create(await serve(t), extra);
    t.is(status, 400);
    t.true(answer.startsWith(`${parameter}: `));
  });
}

test('window and cutoff together have a limit', async (t) => {
  const { status, answer } = await create(await serve(t), '&window=240&cutoffMinutes=1000');
  t.is(status, 200, 'the first cutoff counts');
  t.truthy(answer);
  const refused = await (await serve(t)).request(path('&window=240').replace('cutoffMinutes=40', 'cutoffMinutes=400'), {
    method: 'POST',
  });
  t.is(refused.status, 400);
});
