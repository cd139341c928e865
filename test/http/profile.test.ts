/** Options and surfaces over a window of departures, over a real town. */

import test from 'ava';
import type { Graph, Surface } from '../../src/native/types.js';
import { builtBefore, isDisposed, listingSurfaces, sharedGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';

const town = builtBefore(test, buildSampleTown);

function serve(t: Parameters<typeof startApp>[0], analyst = true): Promise<TestApp> {
  return startApp(t, [{ id: 'default', graph: sharedGraph(town.graph) }], { flags: { analyst } });
}

/** A place: shares of the town's height and width. */
function place(up: number, right: number): string {
  const { lowerLeftLatitude, upperRightLatitude, lowerLeftLongitude, upperRightLongitude } = town.graph.info();
  const between = (from: number, to: number, share: number) => (from + (to - from) * share).toFixed(6);
  return `${between(lowerLeftLatitude, upperRightLatitude, up)},${between(lowerLeftLongitude, upperRightLongitude, right)}`;
}

const DAY = 'date=2026-11-23&startTime=8:00&endTime=9:00';

function trip(extra = ''): string {
  return `/routers/default/profile?from=${place(0.2, 0.45)}&to=${place(0.8, 0.55)}&${DAY}${extra}`;
}

interface Stats {
  min: number;
  avg: number;
  max: number;
}

function assertOrdered(t: { true(value: boolean, text?: string): void }, stats: Stats, what: string): void {
  t.true(0 <= stats.min && stats.min <= stats.avg && stats.avg <= stats.max, `${what} ${JSON.stringify(stats)}`);
}

test('the option without transit comes first, the others follow in order', async (t) => {
  const app = await serve(t);
  const { options } = await app.json(trip());
  const [direct, rides] = [options.at(-1), options.slice(0, -1)];
  t.is(direct.summary, 'Non-transit options');
  t.deepEqual(direct.fares, []);
  t.deepEqual(Object.keys(direct), ['access', 'stats', 'summary', 'fares']);
  t.true(rides.length > 0);
  const averages = rides.map(({ stats }: { stats: Stats }) => stats.avg);
  t.deepEqual(
    averages,
    [...averages].sort((a, b) => a - b),
  );
  const slowestFirst = (await app.json(trip('&orderBy=MAX'))).options.slice(0, -1).map((o: any) => o.stats.max);
  t.deepEqual(
    slowestFirst,
    [...slowestFirst].sort((a, b) => a - b),
  );
});

test('options do not contradict themselves', async (t) => {
  const app = await serve(t);
  const { options } = await app.json(trip());
  for (const { transit, access, egress, stats, summary, fares, rideFares } of options.slice(0, -1)) {
    t.true(summary.startsWith('routes '));
    t.deepEqual(fares, Array(transit.length).fill(null));
    t.is(rideFares.length, transit.length);
    assertOrdered(t, stats, summary);
    let [least, greatest] = [0, 0];
    transit.forEach((segment: any, i: number) => {
      t.deepEqual(Object.keys(segment).slice(0, 5), ['from', 'to', 'walkTime', 'walkDistance', 'waitStats']);
      assertOrdered(t, segment.waitStats, 'wait');
      assertOrdered(t, segment.rideStats, 'ride');
      t.true(segment.waitStats.min >= (i === 0 ? 0 : 60), 'a minute at the stop before later rides');
      t.true(segment.routes.length > 0 && segment.routes.every((r: any) => r.id.includes(':')));
      const trips = segment.segmentPatterns.map((p: any) => p.nTrips);
      t.deepEqual(
        trips,
        [...trips].sort((a, b) => b - a),
      );
      t.true(segment.segmentPatterns.every((p: any) => p.fromIndex < p.toIndex));
      if (i === 0) t.is(segment.walkTime, 0);
      least += segment.walkTime + segment.waitStats.min + segment.rideStats.min;
      greatest += segment.walkTime + segment.waitStats.max + segment.rideStats.max;
    });
    const times = (list: any[]) => list.map(({ time }) => time);
    t.is(stats.min, least + Math.min(...times(access)) + Math.min(...times(egress)));
    t.is(stats.max, greatest + Math.max(...times(access)) + Math.max(...times(egress)));
  }
});

test('street parts are listed edge by edge', async (t) => {
  const app = await serve(t);
  const { options } = await app.json(trip('&directModes=WALK,BICYCLE,CAR'));
  const { access } = options.at(-1);
  t.deepEqual(
    access.map((segment: any) => segment.mode),
    ['WALK', 'BICYCLE', 'CAR'],
  );
  for (const { mode, time, streetEdges } of access) {
    t.true(time > 0 && streetEdges.length > 1);
    t.is(streetEdges[0].relativeDirection, 'DEPART');
    t.is(streetEdges[0].mode, mode);
    for (const edge of streetEdges) {
      t.true(Number.isInteger(edge.distance) && edge.geometry.length >= 2);
      t.is('streetName' in edge, 'relativeDirection' in edge);
    }
  }
});

test('a window may be a single moment', async (t) => {
  const app = await serve(t);
  const { options } = await app.json(trip().replace('endTime=9:00', 'endTime=8:00'));
  t.true(options.length > 1);
  for (const { transit } of options.slice(0, -1)) t.is(transit[0].waitStats.min, transit[0].waitStats.max);
});

test('the limit counts per access mode', async (t) => {
  const app = await serve(t);
  const { options } = await app.json(trip('&limit=1&accessModes=WALK,&transitModes=TRANSIT,'));
  t.is(options.length, 2);
});

test('off the map there is one empty option', async (t) => {
  const app = await serve(t);
  for (const from of ['48.85,2.35', '51.48,5e-05', '-2.5E-5,36.8']) {
    const { options } = await app.json(trip().replace(/from=[^&]*/, `from=${from}`));
    const nothing = { stats: { min: 0, avg: 0, max: 0, num: 0 }, summary: 'Non-transit options', fares: [] };
    t.deepEqual(options, [nothing], from);
  }
});

for (const [change, parameter] of [
  [/from=[^&]*&/, 'from'],
  [/&to=[^&]*/, 'to'],
  ['&from=abc', 'from'],
  ['&from=91,0', 'from'],
  ['&from=0;0', 'from'],
  ['&date=xx', 'date'],
  ['&date=2019-02-30', 'date'],
  ['&date=1999-01-01', 'date'],
  ['&startTime=x', 'startTime'],
  ['&startTime=24:00', 'startTime'],
  ['&endTime=7:00', 'endTime'],
  ['&walkSpeed=0.1', 'walkSpeed'],
  ['&walkSpeed=9', 'walkSpeed'],
  ['&bikeSpeed=NaN', 'bikeSpeed'],
  ['&carSpeed=99', 'carSpeed'],
  ['&streetTime=0', 'streetTime'],
  ['&maxWalkTime=481', 'maxWalkTime'],
  ['&minCarTime=31', 'minCarTime'],
  ['&minBikeTime=-1', 'minBikeTime'],
  ['&limit=-1', 'limit'],
  ['&limit=1.5', 'limit'],
  ['&suboptimal=31', 'suboptimal'],
  ['&bikeSafe=1001', 'bikeSafe'],
  ['&orderBy=X', 'orderBy'],
  ['&accessModes=FLY', 'accessModes'],
  ['&egressModes=CAR_PARK', 'egressModes'],
  ['&directModes=BUS', 'directModes'],
  ['&transitModes=WALK', 'transitModes'],
] as const) {
  test(`400 that names ${parameter}: ${change}`, async (t) => {
    const app = await serve(t);
    // The first value of a repeated parameter wins.
    const path = typeof change === 'string' ? trip().replace('?', `?${change.slice(1)}&`) : trip().replace(change, '');
    const response = await app.get(path);
    t.is(response.status, 400);
    t.true((await response.text()).startsWith(`${parameter}: `));
  });
}

test('analyst=true keeps surfaces of the least, average and longest times', async (t) => {
  const app = await serve(t);
  const { min, avg, max } = await app.json(`/routers/default/profile?from=${place(0.3, 0.5)}&${DAY}&analyst=true`);
  t.is(new Set([min, avg, max]).size, 3);
  const listed = await app.json('/surfaces');
  t.deepEqual(
    listed.map(({ id, params }: any) => [id, params.percentile]),
    [
      [min, 'min'],
      [avg, 'avg'],
      [max, 'max'],
    ],
  );
  const isochrone = async (id: number) => (await app.json(`/surfaces/${id}/isochrone?spacing=20`)).features[0];
  const area = ({ geometry }: any) =>
    geometry.coordinates.flat().reduce((sum: number, ring: any) => sum + ringArea(ring), 0);
  t.true(area(await isochrone(min)) >= area(await isochrone(max)), 'more ground at the best moment than at the worst');
});

for (const access of ['BICYCLE', 'BICYCLE_RENT', 'CAR', 'CAR_PARK']) {
  test(`analyst=true goes on after ${access} as surfaces do`, async (t) => {
    const app = await serve(t);
    const from = place(0.3, 0.5);
    const raster = async (id: number) => {
      const response = await app.get(`/surfaces/${id}/raster?width=64&height=64`);
      return Buffer.from(await response.arrayBuffer());
    };
    const reached = async (extra: string) => {
      const speeds = 'walkSpeed=1.4&bikeSpeed=4.1';
      const query = `from=${from}&${DAY}&analyst=true&accessModes=${access}&${speeds}${extra}`;
      return raster((await app.json(`/routers/default/profile?${query}`)).min);
    };
    const trip = `fromPlace=${from}&date=2026-11-23&time=8:00&walkSpeed=1.4&bikeSpeed=4.1&mode=${access},TRANSIT`;
    const window = 'batch=true&cutoffMinutes=90&window=60&percentiles=min';
    const made = await app.request(`/surfaces?${trip}&${window}`, { method: 'POST' });
    const surface = (await made.json()) as { id: number };
    t.deepEqual(await reached('&maxBikeTime=480&maxCarTime=480'), await raster(surface.id));
    const [longest, others] = access.startsWith('CAR') ? ['maxCarTime', 'maxBikeTime'] : ['maxBikeTime', 'maxCarTime'];
    const all = await reached(`&${longest}=480`);
    t.deepEqual(await reached(`&${longest}=480&${others}=1&maxWalkTime=1`), all, 'limits of other modes');
    t.notDeepEqual(await reached(`&${longest}=1&maxWalkTime=480`), all, longest);
  });
}

test('analyst=true walks on after a car or a rented bike', async (t) => {
  const requests: Parameters<Graph['windowSurfaces']>[0][] = [];
  const graph = sharedGraph(town.graph, {
    windowSurfaces: (...args: Parameters<Graph['windowSurfaces']>) => {
      requests.push(args[0]);
      return town.graph.windowSurfaces(...args);
    },
  });
  const app = await startApp(t, [{ id: 'default', graph }], { flags: { analyst: true } });
  for (const access of ['BICYCLE_RENT', 'CAR', 'CAR_PARK']) {
    const profile = `/routers/default/profile?from=${place(0.3, 0.5)}&${DAY}&analyst=true&accessModes=${access}`;
    t.is((await app.get(profile)).status, 200, access);
    t.true(requests.pop()?.modes?.includes('WALK'), access);
  }
});

function ringArea(ring: Array<[number, number]>): number {
  return ring.slice(1).reduce((sum, [x, y], i) => sum + ((ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0)) / 2, 0);
}

test('without --analyst there are no surfaces to keep', async (t) => {
  const app = await serve(t, false);
  t.is((await app.get(trip('&analyst=true'))).status, 404);
  t.is((await app.get(trip())).status, 200);
});

test('an unknown router is 404', async (t) => {
  const app = await serve(t);
  for (const resource of ['profile', 'rrtr']) {
    t.is((await app.get(`/routers/nowhere/${resource}?from=${place(0.5, 0.5)}`)).status, 404);
  }
});

test('rrtr answers OK, and with detail=true how much time an agency saves', async (t) => {
  const app = await serve(t);
  const from = place(0.3, 0.5);
  const plain = await app.get(`/routers/default/rrtr?from=${from}`);
  t.is(plain.headers.get('content-type'), 'application/json');
  t.is(await plain.text(), 'OK\n');
  const same = await app.json(`/routers/default/rrtr?from=${from}&detail=true`);
  t.true(same.stops > 10);
  t.like(same, { slower: 0, lost: 0, secondsLost: 0 });
  const agencies = town.graph.agenciesSync(town.graph.list('agencies')).map(({ id }) => id);
  const losses = await Promise.all(
    agencies.map((id) =>
      app.json(`/routers/default/rrtr?from=${from}&detail=true&banAgency=${encodeURIComponent(id)}`),
    ),
  );
  t.true(losses.some(({ slower, lost }) => slower + lost > 0));
  for (const bad of ['', '?fromStop=nope', '?from=x']) {
    t.is((await app.get(`/routers/default/rrtr${bad}`)).status, 400, bad);
  }
});

test('rrtr reads few stops at a time, so that other requests get their turn', async (t) => {
  const read: number[] = [];
  const graph = sharedGraph(town.graph, {
    stopsSync: (indices: Uint32Array) => {
      read.push(indices.length);
      return town.graph.stopsSync(indices);
    },
  });
  const app = await startApp(t, [{ id: 'default', graph }]);
  await app.json(`/routers/default/rrtr?from=${place(0.3, 0.5)}&detail=true`);
  t.is(
    read.reduce((sum, count) => sum + count, 0),
    town.graph.list('stops').length,
  );
  t.true(read.length > 1 && Math.max(...read) <= 64, `${read}`);
});

test('rrtr disposes of its surfaces when it fails', async (t) => {
  const made: Surface[] = [];
  const graph = sharedGraph(listingSurfaces(town.graph, made), {
    stopsSync: () => {
      throw new Error('no stops');
    },
  });
  const app = await startApp(t, [{ id: 'default', graph }]);
  t.is((await app.get(`/routers/default/rrtr?from=${place(0.3, 0.5)}`)).status, 500);
  t.deepEqual(made.map(isDisposed), [true, true]);
});
