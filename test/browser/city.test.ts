/** The web client with a whole city: the ground follows the origin while it is dragged. */

import { buildCity } from '../support/built-graph.js';
import { hasShared } from '../support/needs.js';
import { LONGEST_WAIT_MS } from './chromium.js';
import { ClientTests, mapIsDrawn } from './client-page.js';
import { ground, hiddenTimes, painted, watchGround } from './painted-ground.js';

const CITY = 'data/porto';

/** Grounds painted before the mouse is released. How many a second there are is measured by `scripts/measure-client.mjs`. */
const PICTURES = 20;
/** Movements of the mouse for each turn around the origin, one for each picture of the screen. */
const MOVES = 60;

if (hasShared(CITY)) {
  const client = new ClientTests({}, { build: () => buildCity(CITY), map: 'everything' });

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
    const end = performance.now() + LONGEST_WAIT_MS;
    for (let move = 1; (await painted(page)) < PICTURES && performance.now() < end; move += 1) {
      const turn = (move / MOVES) * 2 * Math.PI;
      await page.mouse.move(x + 60 * Math.cos(turn), y + 60 * Math.sin(turn));
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    t.true((await painted(page)) >= PICTURES);
    t.is(await hiddenTimes(page), 0);
    await page.mouse.up();
    t.deepEqual(errors, []);
  });
}
