/** Fields for places while several things happen at once. */

import sharp from 'sharp';
import { ClientTests, mapIsDrawn, PHONE } from './client-page.js';

const client = new ClientTests();
const inBrowser = client.test;

inBrowser('Enter and leaving the field while the place is searched choose it once', async (t) => {
  const { page } = await client.open(t);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/geocode?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Add a place on the way' }).click();
  await page.getByRole('combobox', { name: 'On the way' }).fill('Glockenbrück');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  release();
  await page.locator('.pin.via').first().waitFor();
  t.is(await page.locator('.pin.via').count(), 1);
  t.is(decodeURIComponent(page.url()).split('Glockenbrück').length - 1, 1);
});

inBrowser('the position of the device comes too late for a field with another place', async (t) => {
  const visit = await client.prepare(t);
  const { page } = visit;
  await page.addInitScript(`navigator.geolocation.getCurrentPosition = (found) => {
    globalThis.findPosition = () => found({ coords: { latitude: 1, longitude: 2 } });
  }`);
  await page.goto(client.root);
  const field = page.getByRole('combobox', { name: 'Start' });
  await field.click();
  await page.getByRole('option', { name: 'My position' }).click();
  await page.getByText('Finding your position').waitFor();
  await field.fill('Glockenbrück');
  await page.keyboard.press('Tab');
  await page.locator('.pin.start').waitFor();
  await page.evaluate('findPosition()');
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  t.is(await field.inputValue(), 'Glockenbrück');
  t.true(decodeURIComponent(page.url()).includes('from=Glockenbrück'));
});

inBrowser('offers that scroll do not hide the map of a phone', async (t) => {
  const { page } = await client.open(t, '', { screen: PHONE, map: 'everything' });
  await mapIsDrawn(page);
  // A picture of a part of the page would not be drawn like the page.
  const map = async () => {
    const part = { left: 0, top: 80, width: 300, height: 200 };
    return sharp(await page.screenshot())
      .extract(part)
      .raw()
      .toBuffer();
  };
  const before = await map();
  await page.getByRole('combobox', { name: 'Start' }).fill('Glock');
  const offers = page.locator('.offers');
  await offers.getByRole('option').nth(5).waitFor();
  t.true(await offers.evaluate((list: any) => list.scrollHeight > list.clientHeight));
  t.true(before.equals(await map()));
});
