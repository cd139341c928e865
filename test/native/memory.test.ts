/** Memory that searches keep is freed with the graphs. */

import test from 'ava';
import { loadAddon } from '../../src/native/addon.js';
import type { Graph } from '../../src/native/types.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { until } from '../support/until.js';

function search(graph: Graph): Promise<unknown> {
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = graph.info();
  const at = (share: number) => ({ lat: south + (north - south) * share, lon });
  return graph.plan({ from: at(0.25), to: at(0.75), epochSeconds: Date.UTC(2026, 10, 23, 7) / 1000 });
}

test.serial('the memory of searches is freed with the last graph of its size', async (t) => {
  const { Graph, poolState } = await loadAddon();
  const town = await buildSampleTown();
  t.is(poolState().withMemory, 0);
  await search(town.graph);
  t.true(poolState().withMemory > 0);

  // As in a reload: another one exists before the first one is disposed of.
  const again = await Graph.open(town.file);
  await search(again);
  town.graph.dispose();
  await search(again);
  t.true(poolState().withMemory > 0);

  const snapshot = again.snapshot();
  again.dispose();
  t.true(poolState().withMemory > 0, 'a request still reads the graph');
  const running = search(snapshot);
  snapshot.dispose();
  t.truthy(await running, 'a running search finishes on it');
  await until(() => poolState().withMemory === 0);
  t.is(poolState().withMemory, 0);

  const last = await Graph.open(town.file);
  t.truthy(await search(last));
  last.dispose();
  await until(() => poolState().withMemory === 0);
  t.is(poolState().withMemory, 0);
  await town.remove();
});

test.serial('searches one after the other need the memory of one thread', async (t) => {
  const { poolState } = await loadAddon();
  const town = await buildSampleTown();
  await until(() => poolState().withMemory === 0);
  for (let round = 0; round < 6; round++) {
    await until(() => poolState().idle === poolState().workers);
    t.truthy(await search(town.graph));
  }
  t.is(poolState().withMemory, 1);
  town.graph.dispose();
  await town.remove();
});
