/** Every search ends when its time is up. */

import test from 'ava';
import type { Graph, SearchOptions } from '../../src/native/types.js';
import { builtBefore } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';

const town = builtBefore(test, buildSampleTown);

/** A Monday at eight, in the town's time zone. */
const MONDAY = Date.parse('2026-11-23T07:00:00Z') / 1000;

function request() {
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  return { from: { lat, lon }, to: { lat: lat + 0.01, lon }, epochSeconds: MONDAY, maxWalkDistance: 1000 };
}

const AREA = { maxSeconds: 1800, precisionM: 150, offRoadM: 150 };
const CIRCLES = {
  spacingSeconds: 1800,
  timespanSeconds: 7200,
  radiusM: 600,
  contours: 3,
  contourSpacingSeconds: 900,
  decimals: 5,
};

function ends() {
  const { from, to } = request();
  return {
    origins: Float64Array.of(from.lat, from.lon),
    destinations: Float64Array.of(to.lat, to.lon),
    maxSeconds: 7200,
  };
}

const SEARCHES: Readonly<Record<string, (graph: Graph, search: SearchOptions) => Promise<unknown>>> = {
  matrix: (graph, search) => graph.matrix(request(), ends(), search),
  'matrix by bike': (graph, search) => graph.matrix({ ...request(), modes: ['BICYCLE'] }, ends(), search),
  surface: (graph, search) => graph.surface(request(), { cutoffSeconds: 3600 }, search),
  window: (graph, search) =>
    graph.windowSurfaces(request(), { cutoffSeconds: 3600, windowSeconds: 1800, statistics: ['avg'] }, search),
  isochrone: (graph, search) => graph.isochrone(request(), { area: AREA, cutoffs: [600], decimals: 5 }, search),
  timeGrid: (graph, search) => graph.timeGrid(request(), { area: AREA, value: 'TIME', created: '' }, search),
  walkshed: (graph, search) => graph.walkshed(request(), { seconds: 1200, form: 'SHED' }, search),
  'circles around stops': (graph, search) => graph.circleIsochrone(request(), { ...CIRCLES, stopsOnly: true }, search),
  'circles around corners': (graph, search) =>
    graph.circleIsochrone(request(), { ...CIRCLES, stopsOnly: false }, search),
  profile: (graph, search) =>
    graph.profile({ from: request().from, to: request().to, fromEpoch: MONDAY, toEpoch: MONDAY + 3600 }, search),
  'contours of a surface': async (graph, search) =>
    (await graph.surface(request(), { cutoffSeconds: 3600 })).isochrone(600, 6, search),
  'raster of a surface': async (graph, search) =>
    (await graph.surface(request(), { cutoffSeconds: 3600 })).raster(
      { crs: 'EPSG:4326', width: 500, height: 500, geotiff: true },
      search,
    ),
};

for (const [name, search] of Object.entries(SEARCHES)) {
  test(`${name}: without time left it rejects with TIMEOUT, on threads for long and for short searches`, async (t) => {
    for (const long of [false, true]) {
      await t.throwsAsync(search(town.graph, { deadline: 0, long }), { code: 'TIMEOUT' });
      await t.notThrowsAsync(search(town.graph, { deadline: 60, long }));
    }
  });
}

test('a plan without time left has an error', async (t) => {
  const { error, plan } = await town.graph.plan(request(), { deadline: 0 });
  t.is(plan, undefined);
  t.is(error?.code, 'REQUEST_TIMEOUT');
});

test('a search that is stopped by its caller is aborted, not out of time', async (t) => {
  const signal = AbortSignal.abort();
  await t.throwsAsync(town.graph.matrix(request(), ends(), { deadline: 60, signal }), { code: 'ABORTED' });
});
