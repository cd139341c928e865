/** Graph files with a wrong value in a column and a matching checksum are refused, and the process survives. */

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import type { BuiltGraph } from '../support/built-graph.js';
import { mendChecksum, storedChecksum, storedColumns } from '../support/graph-file.js';
import { buildSampleTown } from '../support/sample-graph.js';

let town: BuiltGraph;
let good: Buffer;
test.before(async () => {
  town = await buildSampleTown();
  good = await readFile(town.file);
});
test.after.always(() => town?.remove());

test('the checksum of this test is that of the files', (t) => {
  const file = Buffer.from(good);
  mendChecksum(file);
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
    mendChecksum(file);
    const place = path.join(path.dirname(town.file), `${name}.obj`);
    await writeFile(place, file);
    const error = await t.throwsAsync(() => Graph.open(place), { code: 'GRAPH_DAMAGED' });
    t.regex(error?.message ?? '', new RegExp(`graph\\.${name} is damaged: row 0`));
    t.deepEqual(town.graph.info(), town.report.info);
  });
}
