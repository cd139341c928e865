/** Damaged graph files are refused at once or as soon as the damage is found, and the process survives. */

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import type { BuiltGraph } from '../support/built-graph.js';
import { mendChecksums, storedChecksum, storedColumns } from '../support/graph-file.js';
import { buildSampleTown } from '../support/sample-graph.js';

let town: BuiltGraph;
let good: Buffer;
test.before(async () => {
  town = await buildSampleTown();
  good = await readFile(town.file);
});
test.after.always(() => town?.remove());

test('the checksums of this test are those of the files', (t) => {
  const file = Buffer.from(good);
  mendChecksums(file);
  t.is(storedChecksum(file), storedChecksum(good));
});

for (const name of ['street.arcs', 'street.search.in_arcs', 'timetable.trips.pattern', 'timetable.texts.offsets']) {
  test(`a wrong value in ${name} is refused`, async (t) => {
    const { Graph } = await loadAddon();
    const file = Buffer.from(good);
    const column = storedColumns(file).find((stored) => stored.name === `graph.${name}`);
    const values = column?.values ?? Buffer.alloc(0);
    t.true(values.length > 0);
    values.fill(0xff, 0, column?.elementBytes);
    mendChecksums(file);
    const place = path.join(path.dirname(town.file), `${name}.obj`);
    await writeFile(place, file);
    const opening = () => Graph.open(place, undefined, { checkFirst: true });
    const error = await t.throwsAsync(opening, { code: 'GRAPH_DAMAGED' });
    t.regex(error?.message ?? '', new RegExp(`graph\\.${name} is damaged: row 0`));
    t.deepEqual(town.graph.info(), town.report.info);
  });
}

test('a graph opens before it is checked, and rejects once its damage is found', async (t) => {
  const { Graph } = await loadAddon();
  const file = Buffer.from(good);
  storedColumns(file)
    .find((stored) => stored.name === 'graph.street.names.bytes')
    ?.values.fill(0x41, 0, 9);
  const place = path.join(path.dirname(town.file), 'later.obj');
  await writeFile(place, file);
  const graph = await Graph.open(place);
  const expected = {
    code: 'GRAPH_DAMAGED',
    message: /graph\.street\.names\.bytes is damaged: the checksum does not match/,
  };
  await t.throwsAsync(() => graph.checked(), expected);
  t.throws(() => graph.info(), expected);
  t.throws(() => graph.snapshot(), expected);
  await t.throwsAsync(
    async () => graph.plan({ from: { lat: 48, lon: 15 }, to: { lat: 48, lon: 15 }, epochSeconds: 0 }),
    expected,
  );
  graph.dispose();
  t.throws(() => graph.info(), { code: 'DISPOSED' });
});

test('a sound graph is checked during its first answers, even when it is disposed of before that', async (t) => {
  const { Graph } = await loadAddon();
  const graph = await Graph.open(town.file);
  t.deepEqual(graph.info(), town.report.info);
  const pinned = graph.snapshot();
  graph.dispose();
  await t.notThrowsAsync(() => pinned.checked());
  t.deepEqual(pinned.info(), town.report.info);
  pinned.dispose();
  await t.throwsAsync(async () => pinned.checked(), { code: 'DISPOSED' });
});

test('damage of the directory, or of what opening reads, is found at once', async (t) => {
  const { Graph } = await loadAddon();
  for (const at of [40, Number(good.readBigUInt64LE(24)) + 5]) {
    const file = Buffer.from(good);
    file[at] = (file[at] ?? 0) ^ 1;
    const place = path.join(path.dirname(town.file), `at-${at}.obj`);
    await writeFile(place, file);
    await t.throwsAsync(() => Graph.open(place), { code: 'GRAPH_DAMAGED' });
  }
});

test('searches that began before the damage was found reject with its code', async (t) => {
  const { Graph } = await loadAddon();
  const file = Buffer.from(good);
  // The search ends in an index out of bounds, or does not end: the check has to stop it, and explains it.
  const wrong = ['graph.street.arcs', 'graph.street.search.out_arcs', 'graph.timetable.trips.pattern'];
  for (const { name, values } of storedColumns(file)) if (wrong.includes(name)) values.fill(0x7f);
  const place = path.join(path.dirname(town.file), 'searched.obj');
  await writeFile(place, file);
  const [from, to] = [
    { lat: 48.0056, lon: 15.0306 },
    { lat: 48.0304, lon: 15.0714 },
  ];
  for (let i = 0; i < 20; i += 1) {
    const graph = await Graph.open(place);
    const epochSeconds = Date.parse('2026-11-23T07:00:00Z') / 1000;
    const search = async () => graph.plan({ from, to, epochSeconds, modes: ['TRANSIT', 'WALK'] });
    await t.throwsAsync(search, { code: 'GRAPH_DAMAGED' });
    graph.dispose();
  }
});
