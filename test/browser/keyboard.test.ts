/** The web client by keys alone: what has the focus after something has changed. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { hashPassword } from '../../src/server/authenticator.js';
import { ClientTests, PHONE } from './client-page.js';

const users = [{ name: 'ada', password: await hashPassword('horse'), roles: ['ROLE_ROUTERS'] }];
const pointSets = mkdtempSync(path.join(tmpdir(), 'trestle-point-sets-'));
writeFileSync(path.join(pointSets, 'shops.csv'), 'lat,lon,jobs\n48.0,15.0,1\n');
const close = () => rmSync(pointSets, { recursive: true });
const client = new ClientTests({ users, analyst: true, pointSets }, { close });
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

inBrowser('keys come to the panel first, and then to the map', async (t) => {
  const { page } = await client.open(t);
  await page.getByRole('combobox', { name: 'Start' }).waitFor();
  const places: string[] = [];
  for (let press = 0; press < 40 && places.at(-1) !== 'nothing'; press += 1) {
    await page.keyboard.press('Tab');
    for (const [name, selector] of [
      ['panel', '.sheet'],
      ['map', '.map'],
      ['controls', '.map-controls'],
      ['nothing', 'body'],
    ] as const) {
      if (!(await hasFocus(page, selector))) continue;
      if (places.at(-1) !== name) places.push(name);
      break;
    }
  }
  t.deepEqual(places, ['panel', 'map', 'controls', 'nothing']);
});

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

const analyse =
  (more = '') =>
  () =>
    `#tab=analyse&origin=${client.ends().from}${more}`;

/** Buttons that send a request again: the page they are on, the request, and what has the focus afterwards. */
const RETRIES: Array<[what: string, hash: () => string, address: string, focused: string]> = [
  ['the routers', () => '#tab=explore', '**/otp/routers', '#page'],
  ['the days of the router', () => '#tab=explore', '**/serviceDays', '#page'],
  ['trips', trip, '**/plan?*', '.plan > div[tabindex="-1"]'],
  ['lines', () => '#tab=explore', '**/graphql', '.answer'],
  ['stops', () => '#tab=explore', '**/geocode?*', '.explore > .field + [tabindex="-1"]'],
  ['ground that is reached', analyse(), '**/timegrid?*', '.analyse > [tabindex="-1"]'],
  ['scenarios', analyse('&compare=scenario'), '**/scenarios', '.part > [tabindex="-1"]'],
  ['point sets', analyse(), '**/pointsets', '.analyse > .part + .part + .part + [tabindex="-1"]'],
  ['a plot', analyse('&places=shops'), '**/indicator?*', '.part > .outcome'],
  ['times to places', analyse('&places=shops&placesAs=map'), '**/matrix?*', '.part > .outcome'],
  ['a raster', analyse(), '**/surfaces?*', '.part[tabindex="-1"]'],
  ['the load of the server', () => '#tab=operate', '**/metrics', '.operate section:has(.numbers)'],
];

/** What is done before some of these requests are sent. */
const FIRST: Record<string, (page: Page) => Promise<void>> = {
  stops: (page) => page.getByRole('searchbox').fill('Glockenbr'),
  'a raster': (page) => press(page, 'GeoTIFF'),
};

for (const [what, hash, address, focused] of RETRIES) {
  inBrowser(`what "Try again" is replaced by has the focus: ${what}`, async (t) => {
    const { page } = await client.prepare(t);
    await page.route(address, (route) => route.abort());
    await page.goto(`${client.root}${hash()}`);
    await FIRST[what]?.(page);
    // Where two lists ask for the same, each has its button.
    await page.getByRole('button', { name: 'Try again' }).first().focus();
    await page.unroute(address);
    await page.keyboard.press('Enter');
    await page.locator('.failure :focus').waitFor({ state: 'detached' });
    await page.locator('.maplibregl-canvas').waitFor();
    t.true(await hasFocus(page, focused));
  });
}

inBrowser('the list of routers keeps the focus when it chooses one', async (t) => {
  const { page } = await client.prepare(t);
  await page.route('**/otp/routers', async (route) => {
    const { routerInfo } = await client.app.json('/routers');
    await route.fulfill({ json: { routerInfo: [...routerInfo, { ...routerInfo[0], routerId: 'hamlet' }] } });
  });
  await page.route('**/routers/hamlet/**', (route) =>
    route.continue({ url: route.request().url().replace('hamlet', 'village') }),
  );
  await page.goto(client.root);
  await page.locator('.router-choice').focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForURL(/router=hamlet/);
  await page.locator('.maplibregl-canvas').waitFor();
  t.true(await hasFocus(page, '.router-choice'));
});

inBrowser(
  'a login keeps the focus: its button when it is refused, its form when it is not, and after it ends',
  async (t) => {
    const { page } = await client.open(t, '#tab=operate');
    let sent = 0;
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/otp/**', async (route) => {
      if (route.request().headers().authorization === undefined) return route.continue();
      sent += 1;
      await held;
      return route.continue();
    });
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password').fill('hose');
    await press(page, 'Log in');
    await page.locator('.login [aria-disabled="true"]').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('button', { name: 'Log in' }).focus();
    answer();
    await page.getByRole('alert').filter({ hasText: 'Incorrect password' }).waitFor();
    t.is(sent, 1);
    t.is(await page.evaluate('document.activeElement.textContent'), 'Log in');
    await page.getByLabel('Password').fill('horse');
    await press(page, 'Log in');
    await page.getByText('Logged in as ada').waitFor();
    t.true(await hasFocus(page, '.login-form'));
    await press(page, 'Log out');
    await page.getByLabel('User name').waitFor();
    t.true(await hasFocus(page, '.login-form'));
  },
);

inBrowser('the button that sends a graph keeps the focus until the answer is there', async (t) => {
  const { page } = await client.open(t, '#tab=operate');
  await page.getByLabel('Router ID').fill('other');
  const file = { name: 'a.obj', mimeType: 'application/octet-stream', buffer: Buffer.from('no graph') };
  await page.getByLabel('Graph file').setInputFiles(file);
  await press(page, 'Upload');
  await page.getByRole('alert').waitFor();
  t.is(await page.evaluate('document.activeElement.textContent'), 'Upload');
});
