/** The addon's windows of departures, and its profiles. */

import test from 'ava';
import type { PlanRequest, ProfileRequest, Surface } from '../../src/native/types.js';
import { builtBefore } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';

const town = builtBefore(test, buildSampleTown);

const EIGHT = Date.UTC(2026, 10, 23, 8) / 1000;
const UNREACHED = 2 ** 31 - 1;

function center(): { lat: number; lon: number } {
  const { centerLatitude: lat, centerLongitude: lon } = town.graph.info();
  return { lat, lon };
}

function request(extra: Partial<PlanRequest> = {}): PlanRequest {
  return { from: center(), to: center(), epochSeconds: EIGHT, ...extra };
}

function profileRequest(extra: Partial<ProfileRequest> = {}): ProfileRequest {
  const { lowerLeftLatitude: lat, centerLongitude: lon } = town.graph.info();
  return { from: center(), to: { lat: lat + 0.002, lon }, fromEpoch: EIGHT, toEpoch: EIGHT + 3600, ...extra };
}

for (const arriveBy of [false, true]) {
  test(`min, median and max of a window are those of its departures${arriveBy ? ', arriving' : ''}`, async (t) => {
    const statistics = ['min', '50', 'max', 'avg'];
    const options = { cutoffSeconds: 3600, windowSeconds: 720, stepSeconds: 120, statistics };
    const made = await town.graph.windowSurfaces(request({ arriveBy }), options);
    t.is(made.length, 4);
    const stops = town.graph.stopsSync(town.graph.list('stops'));
    const positions = Float64Array.from(stops.flatMap(({ lat, lon }) => [lat, lon]));
    const timesOf = async (surface: Surface) => surface.timesTo(await surface.linkPoints(positions), 1.33);
    const seconds = await Promise.all(made.map(timesOf));
    const singles = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (number) => {
        const moment = request({ arriveBy, epochSeconds: EIGHT + 120 * number, clampInitialWait: 0 });
        const surface = await town.graph.surface(moment, { cutoffSeconds: 3600 });
        return timesOf(surface);
      }),
    );
    let [values, same] = [0, 0];
    stops.forEach(({ id }, i) => {
      const times = singles.map((single) => single[i] ?? UNREACHED).sort((a, b) => a - b);
      if ((times[5] ?? UNREACHED) > 3500) return; // at the very limit
      const average = times.reduce((sum, time) => sum + time, 0) / times.length;
      [times[0], times[2], times[5], average].forEach((time, which) => {
        const [got, expected] = [seconds[which]?.[i] ?? UNREACHED, time ?? UNREACHED];
        // A stop is between two vertices: the smaller of their greatest times may be more than its own.
        t.true(got >= expected - 8, `${id} ${statistics[which]}: ${got}, not ${expected}`);
        values += 1;
        if (got <= expected + 8) same += 1;
      });
    });
    t.true(values > 40 && same > 0.8 * values, `${same} of ${values}`);
  });
}

test('a window that cannot be searched is refused with a code', async (t) => {
  const good = { cutoffSeconds: 1800, windowSeconds: 600, statistics: ['50'] };
  for (const wrong of [
    { windowSeconds: 0 },
    { windowSeconds: 600000 },
    { stepSeconds: 0 },
    { statistics: [] },
    { statistics: ['101'] },
    { statistics: Array(21).fill('50') },
    { cutoffSeconds: -60 },
  ]) {
    const call = async () => town.graph.windowSurfaces(request(), { ...good, ...wrong });
    await t.throwsAsync(call, { code: 'INVALID_REQUEST' }, JSON.stringify(wrong));
  }
  const far = request({ from: { lat: 0, lon: 0 } });
  await t.throwsAsync(async () => town.graph.windowSurfaces(far, good), { code: 'PLACE_NOT_FOUND' });
  const withoutService = await town.graph.windowSurfaces(request({ epochSeconds: 0 }), good);
  t.is(withoutService.length, good.statistics.length, 'outside the timetable the streets are searched');
});

test('a profile has the best options with vehicles first and the direct one last', async (t) => {
  const options = await town.graph.profile(profileRequest());
  const [direct, others] = [options.at(-1), options.slice(0, -1)];
  t.deepEqual(direct?.transit, []);
  t.deepEqual(
    direct?.access.map(({ mode }) => mode),
    ['WALK', 'BICYCLE'],
  );
  t.true(others.length > 0);
  const [one] = await town.graph.profile(profileRequest({ directModes: ['CAR'], transitModes: [] }));
  t.deepEqual(
    one?.access.map(({ mode }) => mode),
    ['CAR'],
  );
});

test('an invalid profile is refused with a code', async (t) => {
  for (const wrong of [
    { accessModes: ['SWIM' as never] },
    { egressModes: ['BICYCLE_PARK' as const] },
    { transitModes: ['ROCKET' as never] },
    { orderBy: 'BEST' as 'MIN' },
    { bikeTriangle: [1, 2] },
    { bikeTriangle: [1, -2, 3] },
    { walkSpeed: 0 },
    { toEpoch: EIGHT - 1 },
    { toEpoch: EIGHT + 90_000 },
  ]) {
    const call = async () => town.graph.profile(profileRequest(wrong));
    await t.throwsAsync(call, { code: 'INVALID_REQUEST' }, JSON.stringify(wrong));
  }
});

test('a profile stops when its signal says so', async (t) => {
  const call = async () => town.graph.profile(profileRequest(), { signal: AbortSignal.abort() });
  await t.throwsAsync(call, { code: 'ABORTED' });
});
