/** The web client in a browser, over the sample village. */

import test, { type ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';
import { buildSampleTown, type SampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { findChromium, launch } from './chromium.js';

const executable = findChromium();
if (executable === undefined) console.log('web client not tested: no chromium is installed');
const inBrowser = executable === undefined ? test.skip : test.serial;

let browser: Browser | undefined;
let town: SampleTown | undefined;
let app: TestApp | undefined;
const closers: Array<() => unknown> = [];

test.before(async () => {
  if (executable === undefined) return;
  town = await buildSampleTown();
  app = await startApp({ teardown: (close) => closers.push(close) }, [{ id: 'village', graph: town.graph }]);
  browser = await launch(executable);
});

test.after.always(async () => {
  await browser?.close();
  for (const close of closers) await close();
  await town?.remove();
});

interface Visit {
  page: Page;
  /** What went wrong in the page. */
  errors: string[];
  /** Hosts that it asked. */
  hosts: Set<string>;
}

/** Opens the client on a working day at eight. */
async function open(t: ExecutionContext, hash = '', options: Parameters<Browser['newPage']>[0] = {}): Promise<Visit> {
  if (!browser || !app) throw new Error('the browser has not started');
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 }, ...options });
  t.teardown(() => page.close());
  const visit: Visit = { page, errors: [], hosts: new Set() };
  page.on('pageerror', (error) => visit.errors.push(error.message));
  page.on('request', (request) => visit.hosts.add(new URL(request.url()).host));
  await page.clock.setFixedTime(new Date('2026-11-23T08:00:00Z'));
  await page.goto(`${app.base.replace(/otp$/, '')}${hash}`);
  await page.waitForSelector('.leaflet-container');
  return visit;
}

/** Two ends of the village. */
function ends(): { from: string; to: string } {
  if (!town) throw new Error('there is no town');
  const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = town.graph.info();
  const at = (share: number) => `${(south + (north - south) * share).toFixed(5)},${lon.toFixed(5)}`;
  return { from: at(0.2), to: at(0.8) };
}

/** Chooses eight o'clock of a working day. */
async function departAtEight(page: Page): Promise<void> {
  await page.locator('#pane-trip select[name=when]').selectOption('depart');
  await page.locator('#pane-trip input[name=date]').fill('2026-11-23');
  await page.locator('#pane-trip input[name=time]').fill('08:00');
}

inBrowser('plans a trip between written coordinates, by keyboard', async (t) => {
  const { page, errors, hosts } = await open(t);
  const { from, to } = ends();
  await departAtEight(page);
  await page.getByLabel('From', { exact: true }).fill(from);
  await page.keyboard.press('Tab');
  await page.getByLabel('To', { exact: true }).fill(to);
  await page.keyboard.press('Enter');
  const first = page.locator('.itineraries > li').first();
  await first.waitFor();
  t.regex((await first.locator('.times').textContent()) ?? '', /^\d\d:\d\d – \d\d:\d\d\d+ (min|h)/);
  t.true((await first.locator('.leg').count()) > 0);
  t.is(await first.getByRole('button').first().getAttribute('aria-expanded'), 'true');
  t.regex((await page.getByRole('status').textContent()) ?? '', /itinerar/);
  t.deepEqual(errors, []);
  t.is(hosts.size, 1, 'asks nobody but its server');
});

inBrowser('shows the itineraries of the server', async (t) => {
  const { from, to } = ends();
  const { page } = await open(t, `#router=village&from=${from}&to=${to}`);
  await departAtEight(page);
  const answered = page.waitForResponse(
    (response) => response.url().includes('/plan?') && response.url().includes('time=08'),
  );
  await page.getByRole('button', { name: 'Plan trip' }).click();
  const { plan } = await (await answered).json();
  await page
    .locator('.itineraries > li')
    .nth(plan.itineraries.length - 1)
    .waitFor();
  const legs = await page.locator('.itineraries > li').first().locator('.leg').count();
  t.is(legs, plan.itineraries[0].legs.length);
});

inBrowser('two clicks on the map are a trip, and the address remembers it', async (t) => {
  const { page, errors } = await open(t);
  const map = page.locator('#map');
  await map.click({ position: { x: 300, y: 500 } });
  await page.locator('.end-from').waitFor();
  await map.click({ position: { x: 420, y: 300 } });
  await page.locator('.end-to').waitFor();
  t.regex(page.url(), /#router=village&from=[\d.%C-]+&to=[\d.%C-]+$/);
  t.not(await page.getByLabel('To', { exact: true }).inputValue(), '');
  t.deepEqual(errors, []);
});

inBrowser('a place that does not exist is refused with a reason', async (t) => {
  const { page } = await open(t);
  const from = page.getByLabel('From', { exact: true });
  await from.fill('nowhere at all');
  await page.keyboard.press('Tab');
  const reason = await from.evaluate((input) => (input as unknown as { validationMessage: string }).validationMessage);
  t.regex(reason, /No such place/);
});

inBrowser('tools are tabs that arrow keys move between', async (t) => {
  const { page } = await open(t);
  await page.getByRole('tab', { name: 'Trip' }).focus();
  await page.keyboard.press('ArrowRight');
  t.is(await page.getByRole('tab', { name: 'Reach' }).getAttribute('aria-selected'), 'true');
  t.true(await page.getByRole('button', { name: 'Show isochrones' }).isVisible());
  t.false(await page.getByRole('button', { name: 'Plan trip' }).isVisible());
});

inBrowser('fits a small and dark screen', async (t) => {
  const { page, errors } = await open(t, '', { viewport: { width: 360, height: 640 }, colorScheme: 'dark' });
  const { scrollWidth, ground } = (await page.evaluate(`({
    scrollWidth: document.documentElement.scrollWidth,
    ground: getComputedStyle(document.body).backgroundColor,
  })`)) as { scrollWidth: number; ground: string };
  t.true(scrollWidth <= 360, `${scrollWidth} pixels wide`);
  t.is(ground, 'rgb(21, 25, 28)');
  t.true(await page.locator('#map').isVisible());
  t.deepEqual(errors, []);
});
