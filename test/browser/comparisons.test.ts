/** Comparisons of two origins or scenarios in a browser, what a scenario removes, and a server that stops. */

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { until } from '../support/until.js';
import { ClientTests, mapIsDrawn, ON_PICTURES, planned, styleOf, takePicture } from './client-page.js';
import { ground } from './painted-ground.js';

const client = new ClientTests({ insecure: true, analyst: true });
const inBrowser = client.test;

const start = (more = '') => `#tab=analyse&origin=${client.ends().from}&date=2026-11-23&time=09:00&when=depart${more}`;
const second = (page: Page) => page.locator('.map.second .map-picture:not([hidden])');

/** Colours of a painted ground: how many pixels each has, those without any left out. */
function colours(page: Page, map: string): Promise<Record<string, number>> {
  return page.locator(`${map} .map-picture`).evaluate((canvas: any) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const counts: Record<string, number> = {};
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 0) continue;
      const color = data.slice(i, i + 3).join();
      counts[color] = (counts[color] ?? 0) + 1;
    }
    return counts;
  });
}

const area = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

inBrowser('two origins are compared side by side and as a difference', async (t) => {
  const { page, errors } = await client.open(t, start('&cutoffs=15'), { map: ON_PICTURES });
  await ground(page).waitFor();
  await page.getByLabel('Compare with').selectOption('origin');
  const field = page.getByRole('combobox', { name: 'Second origin (B)' });
  await field.fill(client.ends().to);
  await page.keyboard.press('Enter');
  await page.locator('.pin.other').waitFor();
  await page.getByText('only B reaches it').waitFor();
  const difference = await colours(page, '.map');
  t.true(Object.keys(difference).length > 1, 'ground that only one of them reaches');
  const box = (text: string) => page.locator('.keys li').filter({ hasText: text }).boundingBox();
  for (const range of ['more than 20', '10 to 20', '5 to 10', '1 to 5']) {
    const [faster, slower] = [await box(`${range} min faster`), await box(`${range} min slower`)];
    t.is(faster?.y, slower?.y, `${range} minutes faster is beside ${range} minutes slower`);
    t.true((faster?.x ?? 0) < (slower?.x ?? 0));
  }
  t.is((await box('only A reaches it'))?.y, (await box('only B reaches it'))?.y);
  await page.locator('label', { hasText: 'Side by side' }).click();
  await second(page).waitFor();
  t.is(await page.locator('.map.second .pin.other').count(), 1, 'each map has its own origin');
  t.is(await page.locator('.map:not(.second) .pin.other').count(), 0);
  const [one, other] = [await colours(page, '.map:not(.second)'), await colours(page, '.map.second')];
  t.true(area(one) > 0 && area(other) > 0);
  t.notDeepEqual(one, other);
  await takePicture(page, 'origins-wide-light');
  await page.reload();
  await second(page).waitFor();
  t.is(await field.inputValue(), client.ends().to);
  t.deepEqual(errors, []);
});

inBrowser(
  'both maps of a comparison of two times show the origin, and it can be dragged on each of them',
  async (t) => {
    const { page, errors } = await client.prepare(t);
    await page.goto(`${client.root}${start('&cutoffs=15&compare=time&otherTime=17:00&compareAs=sides')}`);
    await second(page).waitFor();
    await mapIsDrawn(page);
    const pins = page.locator('.pin.origin:not(.other)');
    t.is(await pins.count(), 2);
    const box = await page.locator('.map.second .pin.origin').boundingBox();
    if (!box) throw new Error('the second map has no origin');
    const before = page.url();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 30, box.y + box.height / 2 - 20, { steps: 3 });
    await page.mouse.up();
    await until(() => page.url() !== before);
    const places: number[][] = await pins.evaluateAll((all: any[]) =>
      all.map((pin) => /(\d+)px, (\d+)px/.exec(pin.style.transform)?.slice(1).map(Number) ?? []),
    );
    // One map is a pixel narrower.
    for (const axis of [0, 1]) {
      const [one = NaN, other = NaN] = places.map((at) => at[axis] ?? NaN);
      t.true(Math.abs(one - other) <= 2, `the origin of both is at the same place: ${one} and ${other}`);
    }
    t.deepEqual(errors, []);
  },
);

/** The mean colour of a small square of the page. */
async function colourAt(page: Page, { x, y }: { x: number; y: number }): Promise<number[]> {
  const picture = await page.screenshot({ clip: { x: x - 4, y: y - 4, width: 8, height: 8 } });
  return [...(await sharp(picture).removeAlpha().resize(1, 1).raw().toBuffer())];
}

/** How well a colour is seen on another one. */
function contrast(...colours: [number[], number[]]): number {
  const [dark = 0, light = 0] = colours
    .map((colour) => colour.map((value) => (value / 255) ** 2.2))
    .map(([red = 0, green = 0, blue = 0]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    .sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

inBrowser('in dark colours, the legend looks like the map, and the signs of both origins are seen', async (t) => {
  const { page } = await client.open(t, start('&cutoffs=60&compare=origin'), { dark: true });
  await ground(page).waitFor();
  await mapIsDrawn(page);
  const middle = async (found: string) => {
    const box = await page.locator(found).first().boundingBox();
    if (!box) throw new Error(`there is no ${found}`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const origin = await middle('.pin.origin');
  const [key, onMap] = [
    await colourAt(page, await middle('.keys i')),
    await colourAt(page, { ...origin, y: origin.y + 30 }),
  ];
  const apart = Math.max(...key.map((value, channel) => Math.abs(value - (onMap[channel] ?? 0))));
  t.true(apart < 12, `${key} in the legend, ${onMap} on the map`);
  for (const dot of ['.dot.first', '.dot.second']) {
    const colour = await styleOf(page.locator(dot), 'borderColor');
    const channels = colour.match(/\d+/g)?.map(Number) ?? [];
    t.true(contrast(channels, [27, 33, 37]) > 3, dot);
  }
});

inBrowser('two times without a difference are said to have none', async (t) => {
  const { page } = await client.open(t, start('&compare=time&otherTime=09:00'));
  await page.getByText('no colour: less than 1 min apart, or neither reaches it').waitFor();
  t.deepEqual(await colours(page, '.map'), {});
});

inBrowser('a link to places that the server does not have says so, and lets the reader do without', async (t) => {
  const { page } = await client.open(t, start('&places=gone&placesAs=map'));
  await page.getByText('Invalid PointSet ID').waitFor();
  t.is(await ground(page).count(), 0);
  await page.getByLabel('Places', { exact: true }).selectOption('none');
  await ground(page).waitFor();
  t.false(page.url().includes('places=gone'));
});

inBrowser(
  'every colour of the ground is in the legend, and every one in the legend means ground or is none',
  async (t) => {
    const { page } = await client.open(t, start('&cutoffs=10,20,30,45'));
    const legend = () =>
      page
        .locator('.keys li i')
        .evaluateAll((signs) => signs.map((sign: any) => sign.style.background.match(/\d+/g).join()));
    await ground(page).waitFor();
    t.deepEqual(Object.keys(await colours(page, '.map')).sort(), (await legend()).sort());
    await page.goto(client.root + start('&cutoffs=30&compare=time&otherTime=03:00'));
    await page.getByText('only A reaches it').waitFor();
    const keys = await legend();
    const painted = Object.keys(await colours(page, '.map'));
    t.true(painted.length > 1);
    t.deepEqual(
      painted.filter((color) => !keys.includes(color)),
      [],
    );
  },
);

inBrowser('trips and grounds have one date and time', async (t) => {
  const { page } = await client.open(t, start());
  await ground(page).waitFor();
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.getByRole('combobox', { name: 'Start' }).fill(client.ends().from);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Destination' }).fill(client.ends().to);
  const { query } = await planned(page, () => page.keyboard.press('Enter'));
  t.deepEqual([query.get('date'), query.get('time')], ['2026-11-23', '09:00']);
  const again = page.waitForRequest((request) => request.url().includes('/timegrid?'));
  await page.getByLabel('Time').fill('17:30');
  await page.getByRole('tab', { name: 'Analyse' }).click();
  t.is(new URL((await again).url()).searchParams.get('time'), '17:30');
});

inBrowser('a line that is removed on the map takes ground away, side by side with what it was', async (t) => {
  const routes = await client.app.json('/routers/village/index/routes');
  const { page, errors } = await client.open(t, start('&cutoffs=15'), { map: 'transit' });
  await ground(page).waitFor();
  await mapIsDrawn(page);
  const before = area(await colours(page, '.map'));
  await page.getByRole('button', { name: 'Draw a new scenario' }).click();
  await page.getByRole('button', { name: 'Remove a line' }).click();
  const pin = await page.locator('.pin.origin').boundingBox();
  if (!pin) throw new Error('there is no origin');
  // The origin is in the street of a line that goes through the town from south to north.
  await page.mouse.click(pin.x + pin.width / 2 + 2, pin.y + pin.height + 25);
  const text = (await page.locator('.changes li').textContent()) ?? '';
  t.regex(text, /^Without line \S+/);
  await page.getByLabel('Name of the scenario').fill('Without');
  await page.getByRole('button', { name: 'Save and compare' }).click();
  await page.getByText('Saved.').waitFor();
  t.teardown(() => client.app.request('/routers/village/scenarios/without', { method: 'DELETE' }));
  const { modifications } = await client.app.json('/routers/village/scenarios/without');
  const [removed] = modifications;
  t.is(removed.type, 'remove-trip');
  const ids = [removed.routeId].flat();
  t.is(routes.find(({ id }: { id: string }) => ids.includes(id))?.shortName, text.replace('Without line ', '').trim());
  await page.locator('label', { hasText: 'Side by side' }).click();
  await second(page).waitFor();
  await mapIsDrawn(page);
  const [whole, less] = [await colours(page, '.map:not(.second)'), await colours(page, '.map.second')];
  t.is(area(whole), before, 'the first map has the schedule as it is');
  t.true(area(less) < before, `${area(less)} of ${before}`);
  t.deepEqual(errors, []);
});

inBrowser('every tab says when the server has stopped, and asks it again', async (t) => {
  const { page } = await client.open(t, start());
  await ground(page).waitFor();
  const message = page.getByText('The server does not answer').first();
  const stop = () => page.route('**', (route) => route.abort());
  const startAgain = () => page.unroute('**');
  await stop();
  await page.getByRole('radio', { name: 'Walk' }).check();
  await message.waitFor();
  await startAgain();
  await page.locator('.keys li').first().waitFor();
  await stop();
  await page.getByRole('tab', { name: 'Explore' }).click();
  await message.waitFor();
  await startAgain();
  await page.locator('.lines .line-button').first().waitFor();
  await stop();
  await page.getByRole('tab', { name: 'Operate' }).click();
  await message.waitFor();
  await startAgain();
  await page.locator('.numbers dd').first().filter({ hasText: /\d/ }).waitFor();
  t.pass();
});

inBrowser('while a scenario is drawn, a click on the second map moves nothing', async (t) => {
  const { page } = await client.prepare(t, { map: 'transit' });
  await page.goto(`${client.root}${start('&compare=time&otherTime=10:00&compareAs=sides')}`);
  await second(page).waitFor();
  await page.getByRole('button', { name: 'Draw a new scenario' }).click();
  await page.getByRole('button', { name: 'Remove a line' }).click();
  const before = page.url();
  await page.locator('.map.second').click({ position: { x: 60, y: 400 } });
  t.is(page.url(), before);
});
