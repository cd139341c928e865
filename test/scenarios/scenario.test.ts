/** Scenarios as written, and in the engine's form. */

import test from 'ava';
import { readScenario, UnusableScenario } from '../../src/scenarios/scenario.js';
import { SCENARIO_SCHEMA } from '../../src/scenarios/scenario-fields.js';
import { isLegalScenarioId, ScenarioStore, TooManyScenarios } from '../../src/scenarios/scenario-store.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const WHOLE = JSON.stringify({
  description: 'All of it',
  modifications: [
    { type: 'remove-trip', routeId: '1:R', directionId: 1 },
    { type: 'adjust-headway', routeType: [0, 3], headway: 300 },
    { type: 'adjust-headway', routeId: '1:R', headway: 600, windowStart: '7:00', windowEnd: 36_000 },
    { type: 'move-stop', stopId: '1:S', lat: 41.1, lon: -8.6 },
    { type: 'adjust-dwell-time', tripId: ['1:T'], stopId: '1:S', dwellTime: 20 },
    { type: 'skip-stop', patternId: '1:R:0:01', stopId: ['1:S'] },
    { type: 'convert-to-frequency', agencyId: '1:A', windowStart: '7:00', windowEnd: '25:30:10' },
    {
      type: 'add-trip-pattern',
      name: 'X',
      stops: [{ stopId: '1:S' }, { lat: 1, lon: 2, name: 'New' }],
      timetables: [{ departures: ['6:00', 22_000], hopTimes: [60] }],
    },
    { type: 'transfer-rule', fromStopId: '1:S', toStopId: '1:T', transferType: 2, seconds: 90 },
  ],
});

const natives = (text: string) => readScenario(text).modifications.map(({ native }) => native);

test('ids become lists, times seconds, conditions one selection', (t) => {
  t.is(readScenario(WHOLE).description, 'All of it');
  t.deepEqual(natives(WHOLE) as unknown, [
    { type: 'remove-trip', trips: { routeId: ['1:R'], directionId: 1 } },
    { type: 'adjust-headway', trips: { routeType: [0, 3] }, headway: 300 },
    { type: 'adjust-headway', trips: { routeId: ['1:R'] }, headway: 600, windowStart: 25_200, windowEnd: 36_000 },
    { type: 'move-stop', stopId: '1:S', lat: 41.1, lon: -8.6 },
    { type: 'adjust-dwell-time', trips: { tripId: ['1:T'] }, stopId: ['1:S'], dwellTime: 20 },
    { type: 'skip-stop', trips: { patternId: ['1:R:0:01'] }, stopId: ['1:S'] },
    {
      type: 'convert-to-frequency',
      trips: { agencyId: ['1:A'] },
      groupBy: 'ROUTE_DIRECTION',
      windowStart: 25_200,
      windowEnd: 91_810,
    },
    {
      type: 'add-trip-pattern',
      name: 'X',
      stops: [{ stopId: '1:S' }, { lat: 1, lon: 2, name: 'New' }],
      timetables: [{ departures: [21_600, 22_000], hopTimes: [60] }],
    },
    { type: 'transfer-rule', fromStopId: '1:S', toStopId: '1:T', transferType: 2, seconds: 90 },
  ]);
});

test('a scenario in an answer can be read again', (t) => {
  const written = readScenario(WHOLE).modifications.map(({ written }) => ({ ...written, warnings: ['x'], changed: 1 }));
  const again = JSON.stringify({ id: 'a', description: 'All of it', modifications: written });
  t.deepEqual(natives(again), natives(WHOLE));
});

test('damage of any kind is reported, and nothing else happens', (t) => {
  for (let at = 0; at < WHOLE.length; at += 1) {
    for (const damaged of [
      WHOLE.slice(0, at),
      `${WHOLE.slice(0, at)}\u0000${WHOLE.slice(at + 1)}`,
      `${WHOLE.slice(0, at)}[${WHOLE.slice(at + 1)}`,
    ]) {
      try {
        readScenario(damaged);
      } catch (error) {
        t.true(error instanceof UnusableScenario, `${error} at ${at}`);
      }
    }
  }
});

test('the description of the interface contains every type', (t) => {
  const { properties } = SCENARIO_SCHEMA as any;
  const types = properties.modifications.items.oneOf.map((schema: any) => schema.properties.type.const);
  t.deepEqual(types.sort(), [...new Set(natives(WHOLE).map(({ type }) => type))].sort());
});

test('ids are plain file names', (t) => {
  for (const id of ['a', 'Ä-1', 'v1.2', '_x', '站'.repeat(64)]) t.true(isLegalScenarioId(id), id);
  for (const id of ['', '.', '..', '.a', 'a/b', 'a\\b', 'a b', 'a'.repeat(65), '𐌰'.repeat(64)]) {
    t.false(isLegalScenarioId(id), id);
  }
});

test('a store is limited, and supports concurrent writers', async (t) => {
  const store = new ScenarioStore(await temporaryDirectory(t));
  t.deepEqual(await store.ids(), []);
  t.is(await store.get('../x'), undefined);
  const texts = Array.from({ length: 20 }, (_, i) => `{"description":"${i}","modifications":[]}`);
  await Promise.all(texts.map((text) => store.put('one', text)));
  t.deepEqual(await store.ids(), ['one']);
  t.regex((await store.get('one'))?.scenario.description ?? '', /^\d+$/);
  for (let i = 1; i < 100; i += 1) await store.put(`s${i}`, WHOLE);
  await t.throwsAsync(store.put('more', WHOLE), { instanceOf: TooManyScenarios });
  t.false(await store.put('one', WHOLE));
  t.true(await store.remove('one'));
  t.false(await store.remove('one'));
  t.true(await store.put('more', WHOLE));
});

test('a scenario that is removed while it is read is whole, or there is none', async (t) => {
  const directory = await temporaryDirectory(t);
  let changing = true;
  const reader = async () => {
    // Each with a store of its own, which has to read the file.
    const read = () => new ScenarioStore(directory).get('one');
    while (changing) t.true([undefined, 'All of it'].includes((await read())?.scenario.description));
  };
  const readers = Array.from({ length: 8 }, reader);
  const store = new ScenarioStore(directory);
  for (let round = 0; round < 200; round += 1) {
    await store.put('one', WHOLE);
    await store.remove('one');
  }
  changing = false;
  await t.notThrowsAsync(Promise.all(readers));
});
