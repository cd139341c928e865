import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { XMLValidator } from 'fast-xml-parser';
import { comparePeers, earliestArrival, peersText } from '../../src/bench/peers.js';
import { apart } from '../../src/bench/scale/chart.js';
import { parseSizes, quartersFor } from '../../src/bench/scale/sizes.js';
import { scaleSuite } from '../../src/cli/bench/run-scale.js';
import { loadAddon } from '../../src/native/addon.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('sizes have units', (t) => {
  t.deepEqual(parseSizes('100k, 1m,6.3M,5000'), [100_000, 1_000_000, 6_300_000, 5000]);
  for (const text of ['', '1', '1g', '1m,', '-5k', '1e6']) t.is(parseSizes(text), undefined, text);
});

test('a city of 84 by 84 quarters has about 1,089,000 vertices', (t) => {
  t.is(quartersFor(1_089_000), 84);
  t.is(quartersFor(1000), 4);
});

test('labels of lines that end close together are drawn below each other', (t) => {
  t.deepEqual(apart([100, 101, 50, 99]), [111, 123, 50, 99]);
  t.deepEqual(apart([]), []);
});

test('the suite measures every size and draws the figures', async (t) => {
  const report = await temporaryDirectory(t);
  await scaleSuite({ sizes: [2500, 5500], report, count: 4 });
  const rows = (await readFile(path.join(report, 'scale.md'), 'utf8')).split('\n').filter((row) => /^\| \d/.test(row));
  t.is(rows.length, 4, 'two rows of figures and two of steps');
  const [small, large] = rows.slice(0, 2).map((row) => row.split('|').map((cell) => Number(cell.replaceAll(',', ''))));
  t.true((small?.[1] ?? 0) > 2000 && (small?.[1] ?? 0) < (large?.[1] ?? 0), 'vertices');
  t.true((small?.[5] ?? 0) > 0 && (small?.[6] ?? 0) > 0, 'memory of the build, and its file');
  const picture = await readFile(path.join(report, 'scale.svg'), 'utf8');
  t.true(XMLValidator.validate(picture) === true);
  t.is(picture.match(/<polyline points="[^ "]+ [^ "]+"/g)?.length, 9, 'nine lines of two points');
});

test('our earliest arrival counts in seconds from the departure, as those of the peers do', async (t) => {
  const town = await buildSampleTown();
  t.teardown(() => town.remove());
  const { Graph } = await loadAddon();
  const graph = await Graph.open(town.file);
  t.teardown(() => graph.dispose());
  const epochSeconds = Date.parse('2026-11-23T07:00:00Z') / 1000;
  const [from, to] = [
    { lat: 48.0056, lon: 15.0306 },
    { lat: 48.0304, lon: 15.0714 },
  ];
  const found = await graph.plan({ from, to, epochSeconds, modes: ['TRANSIT', 'WALK'] });
  const arrival = earliestArrival(found, epochSeconds) ?? 0;
  t.true(arrival > 600 && arrival < 7200, `${arrival} s for some kilometres`);
  t.is(earliestArrival({ ...found, plan: undefined }, epochSeconds), null);
});

test('peers are compared pair by pair', (t) => {
  const engine = (name: string, milliseconds: number[], arrivals: Array<number | null>) => {
    return { name, computes: 'x', loadSeconds: 1, milliseconds, arrivals };
  };
  const ours = engine('ours', [2, 2, 2, 2], [1000, 1000, 1000, null]);
  const rows = comparePeers(ours, [engine('other', [4, 4, 4, 4], [1100, 700, 1300, 50])]);
  const { ratio, compared, agree, oursLater, oursEarlier, answered } = rows[1] ?? {};
  t.deepEqual(
    { ratio, compared, agree, oursLater, oursEarlier, answered },
    {
      ratio: 2,
      compared: 3,
      agree: 1,
      oursLater: 1,
      oursEarlier: 1,
      answered: 4,
    },
  );
  t.regex(peersText(rows), /\| other \| x \| 1\.00 \| 4\.00 \| 4\.00 \| 2\.00 \| 4 \| 1 of 3 \| 1 \| 1 \|/);
});
