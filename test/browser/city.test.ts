/** The web client with a whole city: the ground follows the origin while it is dragged. */

import { buildCity } from '../support/built-graph.js';
import { hasShared } from '../support/needs.js';
import { ClientTests, mapIsDrawn } from './client-page.js';
import { slowness } from './machine-pace.js';
import { ground, painted, watchGround } from './painted-ground.js';

const CITY = 'data/porto';

/** Few enough pictures a second would look like jumps. */
const LEAST_PICTURES = 15;
/** Movements of the mouse around the origin, one for each picture of the screen. */
const MOVES = 60;
/** Machines do other things at times, so the best of a few rounds counts. */
const ROUNDS = 3;
/** Grounds that the server is asked for directly, to see how many it finds in a second. */
const ASKED = 10;

/**
 * How many grounds the server finds in a second, one after the other. Its searches give way to everything else that a
 * busy machine does, so that they take longer than its pace says.
 */
async function groundsPerSecond(address: string): Promise<number> {
  const start = performance.now();
  for (let asked = 0; asked < ASKED; asked += 1) await (await fetch(address)).arrayBuffer();
  return (ASKED / (performance.now() - start)) * 1000;
}

if (hasShared(CITY)) {
  const client = new ClientTests({}, { build: () => buildCity(CITY), streets: true });

  client.test('the ground of a city follows the origin while it is dragged', async (t) => {
    const { centerLatitude: lat, centerLongitude: lon } = client.graph.info();
    const hash = `#tab=analyse&origin=${lat.toFixed(5)},${lon.toFixed(5)}`;
    const { page, errors } = await client.open(t, hash, { moving: true });
    await ground(page).waitFor();
    await mapIsDrawn(page);
    const box = await page.locator('.pin.origin').boundingBox();
    if (!box) throw new Error('there is no mark');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let address = '';
    page.on('request', (request) => {
      if (request.url().includes('/timegrid?')) address = request.url();
    });
    await page.mouse.move(x, y);
    await page.mouse.down();
    await watchGround(page);
    /** Pictures a second, and how many there have to be. */
    const rates: (readonly [seen: number, least: number])[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const slow = await slowness(client.browser);
      const [before, start] = [await painted(page), performance.now()];
      for (let move = 1; move <= MOVES; move += 1) {
        const turn = (move / MOVES) * 2 * Math.PI;
        await page.mouse.move(x + 60 * Math.cos(turn), y + 60 * Math.sin(turn));
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
      const seen = (((await painted(page)) - before) / (performance.now() - start)) * 1000;
      rates.push([seen, Math.min(LEAST_PICTURES / slow, (await groundsPerSecond(address)) / 2)]);
    }
    await page.mouse.up();
    const told = rates.map(([seen, least]) => `${seen.toFixed(1)} of at least ${least.toFixed(1)}`);
    t.log(`${told.join(', ')} pictures a second`);
    t.true(rates.some(([seen, least]) => seen >= least));
    t.deepEqual(errors, []);
  });
}
