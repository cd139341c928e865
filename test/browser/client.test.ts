/** The web client in a browser, over the sample village. */

import test, { type ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';
import type { BuiltGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { findChromium, launch } from './chromium.js';

const executable = findChromium();
const inBrowser = executable === undefined ? test.skip : test.serial;

let browser: Browser | undefined;
let town: BuiltGraph | undefined;
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
  /** Errors in the page. */
  errors: string[];
  /** Hosts that the page sent requests to. */
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
  t.is(hosts.size, 1, 'sends requests only to its server');
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

inBrowser('two clicks on the map plan a trip, and the address keeps it', async (t) => {
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

/** A square of `size` degrees around the start. */
function square(size: number): number[][][][] {
  const [lat = 0, lon = 0] = ends().from.split(',').map(Number);
  const corner = (x: number, y: number) => [lon + x * size, lat + y * size];
  return [[[corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)]]];
}

inBrowser('requests one isochrone per cutoff and explains their colours', async (t) => {
  const { page, errors } = await open(t, `#from=${ends().from}`);
  let asked = new URLSearchParams();
  await page.route('**/isochrone?*', (route) => {
    asked = new URL(route.request().url()).searchParams;
    const features = asked.getAll('cutoffSec').map((cutoff) => ({
      type: 'Feature',
      properties: { time: Number(cutoff) },
      geometry: { type: 'MultiPolygon', coordinates: square(Number(cutoff) / 200_000) },
    }));
    return route.fulfill({ json: { type: 'FeatureCollection', features } });
  });
  await page.getByRole('tab', { name: 'Reach' }).click();
  await page.getByLabel('45 min').check();
  await page.getByRole('button', { name: 'Show isochrones' }).click();
  await page.getByText('4 isochrones').waitFor();
  t.deepEqual(asked.getAll('cutoffSec'), ['600', '1200', '1800', '2700']);
  t.is(asked.get('fromPlace'), ends().from);
  t.is(await page.locator('.legend li').count(), 4);
  await page.getByRole('button', { name: 'Clear' }).click();
  t.is(await page.locator('.legend li').count(), 0);
  t.deepEqual(errors, []);
});

inBrowser('offers places that the geocoder finds', async (t) => {
  const { page } = await open(t);
  const [lat, lng] = ends().to.split(',').map(Number);
  await page.route('**/geocode?*', (route) =>
    route.fulfill({ json: [{ lat, lng, description: 'stop Market Square ', id: 'city_1' }] }),
  );
  const answered = page.waitForResponse('**/geocode?*');
  await page.getByLabel('To', { exact: true }).fill('mark');
  await answered;
  await page.locator('#place-to-found option[value="Market Square"]').waitFor({ state: 'attached' });
  await page.getByLabel('To', { exact: true }).fill('Market Square');
  await page.keyboard.press('Tab');
  await page.locator('.end-to').waitFor();
  t.true(page.url().includes(`to=${encodeURIComponent(ends().to)}`));
});

inBrowser('shows the tiles of an inspector layer, and none where there is no inspector', async (t) => {
  const layers = { layers: [{ key: 'traversal', name: 'Traversal permissions' }] };
  const { page } = await open(t);
  await page.route('**/inspector/layers', (route) => route.fulfill({ json: layers }));
  await page.route('**/inspector/tile/**', (route) => route.fulfill({ status: 204 }));
  await page.reload();
  await page.getByRole('tab', { name: 'Layers' }).click();
  const tile = page.waitForRequest('**/inspector/tile/traversal/**');
  await page.getByLabel('Traversal permissions').check();
  t.regex((await tile).url(), /\/traversal\/\d+\/\d+\/\d+\.png$/);
  await page.route('**/inspector/layers', (route) => route.fulfill({ status: 404, body: 'Not Found' }));
  await page.reload();
  await page.getByRole('tab', { name: 'Layers' }).click();
  await page.getByText('This server offers no layers.').waitFor();
});

inBrowser('shows rental stations with their bikes and places', async (t) => {
  const [y, x] = ends().from.split(',').map(Number);
  const station = { id: '1', name: 'Harbour', x, y, bikesAvailable: 3, spacesAvailable: 5 };
  const { page } = await open(t);
  await page.route('**/bike_rental', (route) => route.fulfill({ json: { stations: [station] } }));
  await page.reload();
  await page.getByRole('tab', { name: 'Layers' }).click();
  await page.getByLabel('Rental stations (1)').check();
  t.is(await page.locator('.rental').getAttribute('title'), 'Harbour: 3 bikes, 5 free places');
  await page.getByLabel('Rental stations (1)').uncheck();
  t.is(await page.locator('.rental').count(), 0);
});

inBrowser('texts of the server are never used as markup', async (t) => {
  const { page, errors } = await open(t);
  const hostile = '<img src=x onerror="window.broken = true">';
  await page.route('**/plan?*', (route) => route.fulfill({ json: { error: { id: 404, msg: hostile, message: 'X' } } }));
  await page.getByLabel('From', { exact: true }).fill(ends().from);
  await page.getByLabel('To', { exact: true }).fill(ends().to);
  await page.keyboard.press('Enter');
  await page.getByText(hostile).waitFor();
  t.is(await page.locator('#panel img').count(), 0);
  t.deepEqual(errors, []);
});

inBrowser('a background map is shown when its address is given, and remembered', async (t) => {
  const { page } = await open(t);
  await page.route('**/background/**', (route) => route.fulfill({ status: 204 }));
  const template = encodeURIComponent('/background/{z}/{x}/{y}.png');
  const first = page.waitForRequest('**/background/**');
  await page.goto(`${page.url().split('#')[0]}?tiles=${template}`);
  await first;
  const again = page.waitForRequest('**/background/**');
  await page.goto(page.url().split('?')[0] ?? '');
  await again;
  t.pass();
});

inBrowser('shows a surface where the server keeps them', async (t) => {
  const { page, errors } = await open(t);
  let asked = new URLSearchParams();
  await page.route('**/surfaces', (route) => route.fulfill({ json: [] }));
  await page.route('**/surfaces?*', (route) => {
    asked = new URL(route.request().url()).searchParams;
    return route.fulfill({ json: { id: 7, params: {} } });
  });
  await page.route('**/surfaces/7/isotiles/**', (route) => route.fulfill({ status: 204 }));
  await page.route('**/analyst/legend.png?*', (route) => route.fulfill({ status: 204 }));
  await page.goto(`${page.url()}#from=${ends().from}`);
  await page.reload();
  await page.getByRole('tab', { name: 'Reach' }).click();
  const tile = page.waitForRequest('**/surfaces/7/isotiles/**');
  await page.getByRole('button', { name: 'Travel times as a surface' }).click();
  t.regex((await tile).url(), /isotiles\/\d+\/\d+\/\d+\.png$/);
  t.is(asked.get('batch'), 'true');
  t.is(asked.get('routerId'), 'village');
  t.deepEqual(errors, []);
});

inBrowser('every control has a name', async (t) => {
  const { page } = await open(t);
  for (const tab of ['Trip', 'Reach']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.locator('details.options').evaluateAll((all) => {
      for (const details of all) details.setAttribute('open', '');
    });
    const nameless = await page.evaluate(`[...document.querySelectorAll('input, select, button')].filter((control) => {
      const label = [...(control.labels ?? [])].map((one) => one.textContent).join('');
      const text = control.matches('button') ? control.textContent : '';
      return (label + text + (control.ariaLabel ?? '')).trim() === '';
    }).map((control) => control.outerHTML)`);
    t.deepEqual(nameless, []);
  }
});
