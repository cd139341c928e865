/** The addon by itself: building, opening, planning, releasing, and its errors. */

import { getEventListeners } from 'node:events';
import { copyFile, open, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import { ADDON_CODES } from '../../src/native/codes.js';
import type { PlanRequest } from '../../src/native/types.js';
import { builtBefore } from '../support/built-graph.js';
import { buildUnsharedTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { zip } from '../support/zip.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const town = builtBefore(test, buildUnsharedTown);

/** A Monday morning across the village. */
function request(): PlanRequest {
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => ({ lat: south + (north - south) * share, lon });
  return { from: at(0.25), to: at(0.75), epochSeconds: Date.UTC(2026, 10, 23, 7) / 1000 };
}

test('the codes of the library are those that the crates give to errors', async (t) => {
  const given = new Set<string>();
  for (const file of await readdir(path.join(ROOT, 'crates'), { recursive: true })) {
    if (!/^\w+\/src\/(.*\/)?\w+\.rs$/.test(file)) continue;
    const source = await readFile(path.join(ROOT, 'crates', file), 'utf8');
    const ofEnums = [...source.matchAll(/fn code\(&self\) -> &'static str \{.*?\n {4}\}/gs)].join();
    for (const [, code = ''] of [
      ...source.matchAll(/CodedError::new\(\s*"(\w+)"/g),
      ...ofEnums.matchAll(/"([A-Z_]+)"/g),
    ]) {
      given.add(code);
    }
  }
  t.deepEqual([...given].sort(), [...ADDON_CODES].sort());
});

test('a build reports on its inputs', (t) => {
  const { report } = town;
  t.true(report.bytes > 100_000);
  t.true(report.info.vertices > 1000 && report.info.edges > report.info.vertices);
  t.true(report.info.stops > 100 && report.info.trips > 1000);
  t.true(report.steps.length > 5);
  t.is(report.issueCounts.reduce((sum, { count }) => sum + count, 0) >= report.issues.length, true);
});

test('the facts of a graph are the same after opening it', (t) => {
  t.deepEqual(town.graph.info(), town.report.info);
});

test('the same request has the same answer, even among many', async (t) => {
  const ask = async () => (await town.graph.plan(request())).plan;
  const first = await ask();
  t.truthy(first);
  const all = await Promise.all(Array.from({ length: 40 }, ask));
  for (const plan of all) t.deepEqual(plan, first);
});

test('unusable files are refused with a code', async (t) => {
  const { Graph } = await loadAddon();
  const directory = await temporaryDirectory(t);
  const file = (name: string) => path.join(directory, name);
  await writeFile(file('text'), 'not a graph'.repeat(1000));
  await writeFile(file('empty'), '');
  await copyFile(town.file, file('short'));
  await truncate(file('short'), 5000);
  await copyFile(town.file, file('damaged'));
  const handle = await open(file('damaged'), 'r+');
  await handle.write(Buffer.alloc(64, 0xa5), 0, 64, Math.floor(town.report.bytes / 2));
  await handle.close();
  for (const [name, code] of [
    ['text', 'GRAPH_FOREIGN'],
    ['empty', 'GRAPH_'],
    ['short', 'GRAPH_TRUNCATED'],
    ['damaged', 'GRAPH_DAMAGED'],
    ['absent', 'GRAPH_IO'],
  ] as const) {
    const error = await t.throwsAsync(() => Graph.open(file(name), undefined, { checkFirst: true }), undefined, name);
    t.true(
      String((error as { code?: unknown }).code).startsWith(code),
      `${name}: ${(error as { code?: unknown }).code}`,
    );
  }
});

test('a directory without inputs cannot be built', async (t) => {
  const { Graph } = await loadAddon();
  const directory = await temporaryDirectory(t);
  await t.throwsAsync(() => Graph.build(directory), { code: 'INPUT_MISSING' });
  await writeFile(path.join(directory, 'borders.zip'), await zip({ 'borders.shp': 'x' }));
  await t.throwsAsync(() => Graph.build(directory), { code: 'INPUT_MISSING' });
  await symlink('moved', path.join(directory, 'map.osm'));
  await t.throwsAsync(() => Graph.build(directory), {
    code: 'INPUT_UNREADABLE',
    message: /map\.osm.*a broken link/,
  });
});

test('an aborted search is rejected', async (t) => {
  const controller = new AbortController();
  controller.abort();
  await t.throwsAsync(() => town.graph.plan(request(), { signal: controller.signal }), { code: 'ABORTED' });
});

test.serial('a signal stops all its searches with one listener', async (t) => {
  const controller = new AbortController();
  const { signal } = controller;
  const searches = () => Array.from({ length: 50 }, () => town.graph.plan(request(), { signal }));
  const ended = await Promise.all(searches());
  t.true(ended.every(({ plan }) => plan !== undefined));
  t.is(getEventListeners(signal, 'abort').length, 1);
  t.deepEqual(Object.keys(signal), []);
  const running = searches();
  controller.abort();
  const outcomes = await Promise.allSettled(running);
  // The first ones may have ended by then.
  t.like(outcomes.at(-1), { status: 'rejected', reason: { code: 'ABORTED' } });
});

test('a disposed graph answers no more, but running searches finish', async (t) => {
  const { Graph } = await loadAddon();
  const graph = await Graph.open(town.file);
  const running = graph.plan(request());
  graph.dispose();
  t.truthy((await running).plan);
  await t.throwsAsync(async () => graph.plan(request()), { code: 'DISPOSED' });
  t.throws(() => graph.info(), { code: 'DISPOSED' });
});

test('a request with a wrong constant is refused', async (t) => {
  for (const wrong of [{ modes: ['FLY' as never] }, { optimize: 'LUCK' as never }]) {
    await t.throwsAsync(async () => town.graph.plan({ ...request(), ...wrong }), { code: 'INVALID_REQUEST' });
  }
});
