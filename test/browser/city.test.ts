/** The web client with a whole city: the ground follows the origin while it is dragged. */

import { copyFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { buildGraph } from '../support/built-graph.js';
import { hasShared, SHARED } from '../support/needs.js';
import { ClientTests, mapIsDrawn } from './client-page.js';
import { slowness } from './machine-pace.js';
import { ground, painted, watchGround } from './painted-ground.js';

const CITY = path.join(SHARED, 'data/porto');

/** Few enough pictures a second would look like jumps. */
const LEAST_PICTURES = 15;
/** Movements of the mouse around the origin, one for each picture of the screen. */
const MOVES = 60;
/** Machines do other things at times, so the best of a few rounds counts. */
const ROUNDS = 3;

async function copyCity(directory: string): Promise<void> {
  for (const name of await readdir(CITY)) await copyFile(path.join(CITY, name), path.join(directory, name));
}

if (hasShared('data/porto')) {
  const client = new ClientTests({}, { build: () => buildGraph(copyCity), streets: true });

  client.test('the ground of a city follows the origin while it is dragged', async (t) => {
    const { centerLatitude: lat, centerLongitude: lon } = client.graph.info();
    const hash = `#tab=analyse&origin=${lat.toFixed(5)},${lon.toFixed(5)}`;
    const { page, errors } = await client.open(t, hash, { moving: true });
    await ground(page).waitFor();
    await mapIsDrawn(page);
    const box = await page.locator('.pin.origin').boundingBox();
    if (!box) throw new Error('there is no mark');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await watchGround(page);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const slow = await slowness(client.browser);
      const [before, start] = [await painted(page), performance.now()];
      for (let move = 1; move <= MOVES; move += 1) {
        const turn = (move / MOVES) * 2 * Math.PI;
        await page.mouse.move(x + 60 * Math.cos(turn), y + 60 * Math.sin(turn));
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
      rates.push((((await painted(page)) - before) / (performance.now() - start)) * 1000 * slow);
    }
    await page.mouse.up();
    t.log(`${rates.map((rate) => rate.toFixed(1)).join(', ')} pictures a second`);
    t.true(Math.max(...rates) >= LEAST_PICTURES);
    t.deepEqual(errors, []);
  });
}
