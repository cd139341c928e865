/** Areas with holes in the vector tiles of a whole city. */

import test from 'ava';
import { buildCity, sharedGraph } from '../support/built-graph.js';
import { hasShared } from '../support/needs.js';
import { startApp } from '../support/test-app.js';
import { checkedRings } from '../support/tile-areas.js';
import { readTile, tileAround } from '../support/vector-tile.js';

const CITY = 'data/poa';

/** Two lakes with islands, and tiles around them. */
const LAKES = { lat: -30.0, lon: -51.24 };

if (hasShared(CITY)) {
  test('holes of areas have a negative area and are inside', async (t) => {
    const { graph, remove } = await buildCity(CITY);
    t.teardown(remove);
    const app = await startApp(t, [{ id: 'r', graph: sharedGraph(graph) }], { flags: { insecure: true } });
    let holes = 0;
    for (const z of [10, 12, 13, 14, 15]) {
      const [, column = 0, row = 0] = tileAround(LAKES, z).path.split(/[/.]/).map(Number);
      for (const [x, y] of [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => [column + i, row + j]))) {
        const answer = await app.get(`/routers/r/vectorTiles/land,water/${z}/${x}/${y}.pbf`);
        const { land = [], water = [] } = readTile(new Uint8Array(await answer.arrayBuffer()));
        for (const feature of [...land, ...water]) holes += checkedRings(t, feature).holes;
      }
    }
    t.true(holes > 0);
  });
}
