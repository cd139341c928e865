/** The web client by keys alone: what has the focus after something has changed. */

import type { Page } from 'playwright-core';
import { ClientTests, PHONE } from './client-page.js';

const client = new ClientTests();
const inBrowser = client.test;

function trip(): string {
  const { from, to } = client.ends();
  return `#from=${from}&to=${to}&when=depart&date=2026-11-23&time=08:00`;
}

/** Presses Enter on a control. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

/** Whether an element has the focus, or something in it. */
const hasFocus = (page: Page, selector: string) =>
  page.evaluate(`document.querySelector('${selector}').contains(document.activeElement)`);

inBrowser('later trips are asked for again and again by the same key', async (t) => {
  const { page } = await client.openTrip(t, trip());
  await page.getByRole('button', { name: 'Later' }).focus();
  let count = await page.locator('.card').count();
  for (let more = 1; more <= 2; more += 1) {
    await page.keyboard.press('Enter');
    await page.locator('.card').nth(count).waitFor();
    await page.locator('.results:not(.old)').waitFor();
    count = await page.locator('.card').count();
    t.true(page.url().endsWith(`later=${more}`), page.url());
  }
});

inBrowser('what replaces the chosen thing has the focus', async (t) => {
  const { page } = await client.open(t, '#tab=explore');
  await page.locator('.lines .line-button').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.calls button').first().waitFor();
  t.true(await hasFocus(page, '.pane'));
  await page.locator('.calls button').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.departures button').first().waitFor();
  t.true(await hasFocus(page, '.pane'));
  await press(page, 'All lines and stops');
  await page.locator('.lines .line-button').first().waitFor();
  t.true(await hasFocus(page, '.pane'));
});

inBrowser('the field of a place on the way has the focus, and it stays near when the place is chosen', async (t) => {
  const { page } = await client.openTrip(t, trip());
  await press(page, 'Add a place on the way');
  await page.getByRole('combobox', { name: 'On the way' }).waitFor();
  await page.keyboard.type('Glockenbrück');
  await page.keyboard.press('Enter');
  await page.locator('.pin.via').first().waitFor();
  t.true(await hasFocus(page, '.places'));
});

inBrowser('the folded form of a phone and the unfolded one hand each other the focus', async (t) => {
  const { page } = await client.openTrip(t, trip(), { screen: PHONE });
  await press(page, /Change the trip/);
  await page.locator('.trip-form').waitFor();
  t.true(await hasFocus(page, '.trip-form'));
  await press(page, 'Show trips');
  await page.locator('.folded-form').waitFor();
  t.true(await hasFocus(page, '.folded-form'));
});
