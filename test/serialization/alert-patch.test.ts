import test from 'ava';
import type { AlertPatch } from '../../src/native/types.js';
import { presentAllPatches } from '../../src/serialization/alert-patch.js';
import { slicedJson } from '../../src/serialization/sliced-json.js';

/** A graph with some alerts, and the most of them that were read at a time. */
function graphWith(count: number) {
  const all = Array.from({ length: count }, (_, i): AlertPatch => {
    const header = [{ language: 'en', text: `alert ${i}` }];
    return { id: String(i), header, description: [], url: [], feedId: 'city', directionId: -1, periods: [] };
  });
  const read = { most: 0 };
  const alertsSync = (from: number, most: number) => {
    const some = all.slice(from, from + most);
    read.most = Math.max(read.most, some.length);
    return some;
  };
  return { alertsSync, read };
}

test('all alerts are written, but only some are read at a time', async (t) => {
  for (const count of [1, 200, 201, 1000]) {
    const graph = graphWith(count);
    const { alertPatches } = JSON.parse(String(await slicedJson(presentAllPatches(graph, 'en'))));
    const texts = alertPatches.map(({ alert }: any) => alert.alertHeaderText);
    t.deepEqual(
      texts,
      Array.from({ length: count }, (_, i) => `alert ${i}`),
    );
    t.true(graph.read.most <= 200);
  }
});

test('without any alert the member is absent', async (t) => {
  t.is(String(await slicedJson(presentAllPatches(graphWith(0), 'en'))), '{}');
});

test('only alerts about some stops, routes or trips are written when these are asked for', async (t) => {
  const subjects = [{ stop: 's:1' }, { stop: 's:2' }, { route: 'r:1' }, { trip: 't:1' }, {}];
  const all = subjects.map((subject, i): AlertPatch => {
    return {
      id: String(i),
      header: [],
      description: [],
      url: [],
      feedId: 's',
      directionId: -1,
      periods: [],
      ...subject,
    };
  });
  const graph = { alertsSync: (from: number, most: number) => all.slice(from, from + most) };
  const about = async (stops: string[], routes: string[], trips: string[]) => {
    const text = String(await slicedJson(presentAllPatches(graph, 'en', { stops, routes, trips })));
    return JSON.parse(text).alertPatches.map(({ id }: { id: string }) => id);
  };
  t.deepEqual(await about(['s:1'], [], ['t:1']), ['0', '3']);
  t.deepEqual(await about([], ['r:1'], []), ['2']);
  t.deepEqual(await about(['s:9'], [], []), []);
  t.is((await about([], [], [])).length, 5);
});

test('an alert about the trips of one day has the day', async (t) => {
  const about = { id: '0', feedId: 's', trip: 's:1', directionId: -1, serviceDate: '20261123' };
  const patch: AlertPatch = { header: [], description: [], url: [], periods: [], ...about };
  const graph = { alertsSync: (from: number) => (from === 0 ? [patch] : []) };
  const [written] = JSON.parse(String(await slicedJson(presentAllPatches(graph, 'en')))).alertPatches;
  t.like(written, about);
});
