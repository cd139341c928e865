/** How far people get, in the web client: what follows the mouse, comparisons, scenarios, places and files. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../support/until.js';
import {
  accessibilityProblems,
  ClientTests,
  mapIsDrawn,
  ON_PICTURES,
  PHONE,
  styleOf,
  takePicture,
  WIDE,
} from './client-page.js';
import { ground, hiddenTimes, painted, paintedTimes, watchGround } from './painted-ground.js';

const pointSets = mkdtempSync(path.join(tmpdir(), 'trestle-point-sets-'));
const close = async () => rmSync(pointSets, { recursive: true });
const client = new ClientTests({ insecure: true, analyst: true, pointSets }, { close });
const inBrowser = client.test;

/** The origin in the middle of the town, a third of the way up. */
function start(more = ''): string {
  return `#tab=analyse&origin=${client.ends().from}${more}`;
}

/** Writes a point set of the ends of the town, and others between them. */
function writePlaces(): void {
  const [lat = 0, lon = 0] = client.ends().from.split(',').map(Number);
  const rows = Array.from({ length: 250 }, (_, i) => `${lat + i * 0.0001},${lon},${i}`);
  writeFileSync(path.join(pointSets, 'shops.csv'), `lat,lon,jobs\n${rows.join('\n')}\n`);
}

inBrowser('a click on the map moves the origin, and the legend explains the colours of the cutoffs', async (t) => {
  const { page, errors } = await client.open(t, '#tab=analyse', { moving: true, map: 'transit' });
  await mapIsDrawn(page);
  const box = await page.locator('.map').boundingBox();
  if (!box) throw new Error('there is no map');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await ground(page).waitFor();
  t.regex(page.url(), /origin=/);
  t.false(page.url().includes('to='), 'it sets no destination');
  t.deepEqual(
    (await page.locator('.keys li').allTextContents()).map((text) => text.trim()),
    ['within 10 min', 'within 20 min', 'within 30 min'],
  );
  await page.getByRole('button', { name: '45', exact: true }).click();
  await page.locator('.keys li', { hasText: '45 min' }).waitFor();
  t.true(page.url().includes('cutoffs=10,20,30,45'), page.url());
  t.deepEqual(errors, []);
});

inBrowser('an analysis of now asks for the instant, which clocks that go back show twice', async (t) => {
  const { page } = await client.open(t);
  const asked = page.waitForRequest((request) => request.url().includes('/timegrid?'));
  await page.goto(`${client.root}${start('&when=now')}`);
  const query = new URL((await asked).url()).searchParams;
  t.deepEqual([query.get('date'), query.get('time')], [null, '2026-11-23T08:00:00.000Z']);
});

inBrowser('on a server without accounts nothing asks for one', async (t) => {
  const { page, errors } = await client.open(t, '#tab=operate');
  const card = page.locator('.router').first();
  await card.getByRole('button', { expanded: false }).click();
  await card.getByText('there is no build report').waitFor();
  t.is(await page.getByText('need an account').count(), 0);
  t.is(await page.getByRole('button', { name: 'Log in' }).count(), 0);
  t.deepEqual(errors, []);
});

inBrowser('an origin that is off the map is named in the language of the reader', async (t) => {
  const { page, errors } = await client.open(t, '#tab=analyse&origin=1,1', { locale: 'de' });
  const message = page.getByRole('alert');
  await message.getByText('Der Ort liegt außerhalb des Gebiets dieser Karte').waitFor();
  t.is(await message.getByRole('button').count(), 0, 'it would be as far away when it is tried again');
  await page.goto(`${client.root}${start('&window=30')}`);
  await ground(page).waitFor();
  await page.goto(`${client.root}#tab=analyse&origin=1,1&window=30`);
  await message.getByText('Der Ort liegt außerhalb des Gebiets dieser Karte').waitFor();
  t.deepEqual(errors, []);
});

inBrowser('the ground follows the origin while it is dragged, and never goes out of sight', async (t) => {
  const { page, errors } = await client.open(t, start());
  await ground(page).waitFor();
  await mapIsDrawn(page);
  const before = page.url();
  const box = await page.locator('.pin.origin').boundingBox();
  if (!box) throw new Error('there is no mark');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await watchGround(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  const first = await painted(page);
  for (let step = 1; step <= 5; step += 1) {
    await page.mouse.move(x + step * 8, y - step * 8);
    // Each step is followed by a picture of its own before the mouse goes on.
    await paintedTimes(page, first + step);
  }
  t.is(page.url(), before, 'the address changes when the origin is dropped');
  await Promise.all([page.waitForURL((url) => url.href !== before), page.mouse.up()]);
  t.is(await hiddenTimes(page), 0);
  t.deepEqual(errors, []);
});

inBrowser('short walks are sampled finely, and dragging is quick', async (t) => {
  const { page } = await client.prepare(t);
  const cells: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/timegrid')) cells.push(url.searchParams.get('precisionMeters') ?? '');
  });
  await page.goto(`${client.root}${start('&cutoffs=10&reachBy=walk')}`);
  await ground(page).waitFor();
  t.deepEqual(cells, ['20']);
  const asked = page.waitForRequest((request) => request.url().includes('/timegrid?'));
  await page.getByRole('button', { name: '120', exact: true }).click();
  t.is(new URL((await asked).url()).searchParams.get('precisionMeters'), '200');
  await page.locator('.keys li', { hasText: '2 h' }).waitFor();
});

inBrowser('the time to the place under the pointer is shown', async (t) => {
  const { page } = await client.open(t, start('&drawing=surface'));
  await ground(page).waitFor();
  await mapIsDrawn(page);
  const box = await page.locator('.pin.origin').boundingBox();
  if (!box) throw new Error('there is no mark');
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height);
  await page.locator('.pointer-time').waitFor();
  t.regex((await page.locator('.pointer-time').textContent()) ?? '', /^\d+ min$/);
});

inBrowser('two times are compared as a difference or side by side, and a link shows the same', async (t) => {
  const { page, errors } = await client.open(t, start());
  await ground(page).waitFor();
  await page.getByLabel('Compare with').selectOption('time');
  await page.getByLabel('Second time (B)').fill('03:00');
  await page.getByText('only A reaches it').waitFor();
  await page.locator('label', { hasText: 'Side by side' }).click();
  await page.locator('.map.second .map-picture:not([hidden])').waitFor();
  t.is(await ground(page).count(), 2);
  await page.reload();
  await page.locator('.map.second .map-picture:not([hidden])').waitFor();
  await page.getByLabel('Compare with').selectOption('none');
  await page.locator('.map.second').waitFor({ state: 'detached' });
  t.deepEqual(errors, []);
});

inBrowser('the ground from which people arrive by a time is drawn too', async (t) => {
  const { page, errors } = await client.open(t, start('&date=2026-11-23&time=09:00&when=depart&cutoffs=30'));
  await ground(page).waitFor();
  const asked = page.waitForRequest((request) => request.url().includes('/timegrid?'));
  await page.locator('label', { hasText: 'Arrival' }).click();
  const query = new URL((await asked).url()).searchParams;
  t.deepEqual(
    [query.get('toPlace'), query.get('arriveBy'), query.get('fromPlace')],
    [client.ends().from, 'true', null],
  );
  t.true(page.url().includes('reachWay=to'), page.url());
  await ground(page).waitFor();
  const file = (await page.getByRole('link', { name: 'GeoJSON' }).getAttribute('href')) ?? '';
  t.is(((await (await fetch(file)).json()) as { features: unknown[] }).features.length, 1);
  t.deepEqual(errors, []);
});

inBrowser('a window of departures has percentiles', async (t) => {
  const { page, errors } = await client.open(t, start('&cutoffs=30'));
  await ground(page).waitFor();
  const asked = page.waitForRequest((request) => request.url().includes('/surfaces?'));
  await page.getByLabel('Departures').selectOption('60');
  const query = new URL((await asked).url()).searchParams;
  t.deepEqual([query.get('window'), query.get('percentiles')], ['60', '50']);
  const next = page.waitForResponse((response) => response.url().includes('/raster?'));
  await page.locator('label', { hasText: '95%' }).click();
  t.is((await next).status(), 200);
  await page.getByText('95% of the departures').waitFor();
  await ground(page).waitFor();
  t.deepEqual(errors, []);
});

inBrowser('places of a point set are counted by minute, or coloured by the time to each', async (t) => {
  writePlaces();
  const { page, errors } = await client.open(t, start('&cutoffs=60'));
  await page.getByLabel('Places', { exact: true }).selectOption('shops');
  await page.locator('.plot polyline').waitFor();
  const reached = (await page.locator('.plot figcaption').textContent()) ?? '';
  t.regex(reached, /^\d+ in 60 min$/);
  t.not(reached, '0 in 60 min');
  const csv = await page.locator('a[download="shops.csv"]').getAttribute('href');
  t.true(decodeURIComponent(csv ?? '').startsWith('data:text/csv;charset=utf-8,minutes,reached_a\n1,'));
  await page.locator('label', { hasText: 'On the map' }).click();
  await page.getByText('not reached').waitFor();
  const table = decodeURIComponent((await page.locator('a[download="shops.csv"]').getAttribute('href')) ?? '');
  t.is(table.trim().split('\n').length, 251);
  t.is(await ground(page).count(), 0, 'the ground would cover the places');
  t.is(await page.locator('.result').getByText('within').count(), 0, 'the legend is that of the places');
  t.is(await page.locator('.result .ramp').count(), 1);
  const strength = (sign: string) => styleOf(page.locator(sign), 'opacity');
  t.deepEqual([await strength('.ramp i'), await strength('.keys i')], ['1', '1'], 'as strong as the marks on the map');
  t.deepEqual(errors, []);
});

inBrowser('a scenario is drawn on the map, saved and compared', async (t) => {
  const { page, errors } = await client.open(t, start(), { map: 'transit' });
  await ground(page).waitFor();
  await mapIsDrawn(page);
  const origin = page.url();
  await page.getByRole('button', { name: 'Draw a new scenario' }).click();
  await page.getByRole('button', { name: 'Add a line' }).click();
  const box = await page.locator('.map').boundingBox();
  if (!box) throw new Error('there is no map');
  for (const share of [0.3, 0.7]) {
    await page.mouse.click(box.x + box.width * share, box.y + box.height * share);
  }
  await page.locator('.draft-stops li').nth(1).waitFor();
  t.is(await page.locator('.draft-stops li').count(), 2);
  t.is(page.url(), origin, 'clicks that draw do not move the origin');
  await page.getByLabel('Name of the scenario').fill('More buses');
  await page.getByText('The change on the map is not finished').waitFor();
  await page.getByLabel('Name of the line').fill('X1');
  await page.getByRole('button', { name: 'Add this line' }).click();
  t.is(await page.getByText('The change on the map is not finished').count(), 0);
  await page.getByRole('button', { name: 'Add a line' }).click();
  await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.3);
  await page.locator('.draft-stops li').waitFor();
  t.true(await page.getByRole('button', { name: 'Save and compare' }).isDisabled(), 'half a line would be lost');
  await page.getByRole('button', { name: 'Add a line' }).click();
  await page.getByRole('button', { name: 'Save and compare' }).click();
  await page.getByText('Saved.').waitFor();
  t.true(page.url().includes('otherScenario=more-buses'), page.url());
  await page.getByText('only B reaches it').waitFor();
  const { modifications } = await client.app.json('/routers/village/scenarios/more-buses');
  t.deepEqual(
    modifications.map(({ type, name }: { type: string; name: string }) => [type, name]),
    [
      ['add-trip-pattern', 'X1'],
      ['add-trip-pattern', 'X1'],
    ],
  );
  await client.app.request('/routers/village/scenarios/more-buses', { method: 'DELETE' });
  t.deepEqual(errors, []);
});

inBrowser('a stop is moved on the map, and a line runs more often within hours', async (t) => {
  const [stop] = (await client.app.json('/routers/village/index/stops')).filter(({ cluster }: any) => cluster !== null);
  const { page, errors } = await client.open(t, '#tab=analyse', { map: ON_PICTURES ?? 'transit' });
  await mapIsDrawn(page);
  const { x, y } = await client.pixelOf(page, stop);
  await page.getByRole('button', { name: 'Draw a new scenario' }).click();
  await page.getByRole('button', { name: 'Move a stop' }).click();
  await page.mouse.click(x, y);
  await page.getByText(`Now click where ${stop.name} should be.`).waitFor();
  await page.mouse.click(x + 40, y + 30);
  await page.getByText(`Stop ${stop.name} is moved`).waitFor();
  await page.getByRole('button', { name: 'Change a headway' }).click();
  await page.mouse.click(x, y);
  await page.getByLabel('From', { exact: true }).fill('07:00');
  await page.getByLabel('Until', { exact: true }).fill('09:00');
  await takePicture(page, 'scenario-wide-light');
  await page.getByLabel('Name of the scenario').fill('Nearer');
  await page.getByRole('button', { name: 'Save and compare' }).click();
  await page.getByText('Saved.').waitFor();
  const { modifications } = await client.app.json('/routers/village/scenarios/nearer');
  t.deepEqual(
    modifications.map(({ type }: { type: string }) => type),
    ['move-stop', 'convert-to-frequency', 'adjust-headway'],
  );
  const [shift] = modifications;
  const found = await client.app.json(`/routers/village/index/stops/${encodeURIComponent(shift.stopId)}`);
  t.is(found.name, stop.name, 'of two stops at this place either may be meant');
  t.true(shift.changed > 0 && shift.lat < found.lat && shift.lon > found.lon);
  t.like(modifications[2], { windowStart: '07:00', windowEnd: '09:00', headway: 600 });
  await client.app.request('/routers/village/scenarios/nearer', { method: 'DELETE' });
  t.deepEqual(errors, []);
});

inBrowser('a station that is clicked stands for its stops', async (t) => {
  const query = '{ stops { parentStation { gtfsId name lat lon stops { gtfsId } } } }';
  const { data } = await client.app.json(`/routers/village/index/graphql?query=${encodeURIComponent(query)}`);
  const stations: any[] = data.stops.flatMap(({ parentStation }: any) => parentStation ?? []);
  const station = stations.find(({ stops }) => stops.length > 1);
  const { page, errors } = await client.open(t, '#tab=analyse', { map: 'transit' });
  await mapIsDrawn(page);
  const { x, y } = await client.pixelOf(page, station);
  await page.getByRole('button', { name: 'Draw a new scenario' }).click();
  await page.getByRole('button', { name: 'Close a stop' }).click();
  await page.mouse.click(x, y);
  await page.getByText(`Stop ${station.name} is closed`).waitFor();
  await page.getByRole('button', { name: 'Move a stop' }).click();
  await page.mouse.click(x, y);
  await page.getByText(`Now click where ${station.name} should be.`).waitFor();
  await page.mouse.click(x + 40, y + 30);
  await page.getByLabel('Name of the scenario').fill('Moved');
  await page.getByRole('button', { name: 'Save and compare' }).click();
  await page.getByText('Saved.').waitFor();
  const { modifications } = await client.app.json('/routers/village/scenarios/moved');
  const ids = modifications.map(({ stopId }: { stopId: string }) => stopId);
  t.deepEqual(ids, [station.gtfsId, ...station.stops.map(({ gtfsId }: any) => gtfsId)]);
  t.true(modifications[0].changed > 0);
  await client.app.request('/routers/village/scenarios/moved', { method: 'DELETE' });
  t.deepEqual(errors, []);
});

inBrowser('isochrones and times are files to download', async (t) => {
  const { page } = await client.open(t, start());
  await ground(page).waitFor();
  const href = async (name: string) => (await page.getByRole('link', { name }).getAttribute('href')) ?? '';
  const geoJson = await (await fetch(await href('GeoJSON'))).json();
  t.is((geoJson as { features: unknown[] }).features.length, 3);
  const zip = await fetch(await href('Shapefile'));
  t.is(zip.headers.get('Content-Type'), 'application/x-zip-compressed');
  const namedAs = async (role: 'link' | 'button', name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole(role, { name }).click()]);
    return download.suggestedFilename();
  };
  t.is(await namedAs('link', 'GeoJSON'), 'isochrones.geojson');
  t.is(await namedAs('link', 'Shapefile'), 'isochrones.zip');
  t.is(await namedAs('button', 'GeoTIFF'), 'times.tif');
});

inBrowser('a file that could not be made is asked for again by a press of the button only', async (t) => {
  const { page } = await client.open(t, start());
  await ground(page).waitFor();
  await page.clock.install();
  let asked = 0;
  await page.route('**/surfaces?*', (route) => {
    asked += 1;
    return route.fulfill({ status: 503 });
  });
  await page.getByRole('button', { name: 'GeoTIFF' }).click();
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  await page.clock.fastForward(60_000);
  t.is(asked, 1);
  await retry.click();
  await until(() => asked === 2);
});

for (const [name, screen] of Object.entries({ wide: WIDE, phone: PHONE })) {
  inBrowser(`Analyse has no accessibility fault: ${name}`, async (t) => {
    writePlaces();
    const { page, errors } = await client.open(t, '#tab=analyse', { screen, map: ON_PICTURES });
    await page.getByLabel('Compare with').waitFor();
    t.deepEqual(await accessibilityProblems(page), []);
    await page.goto(client.root + start('&cutoffs=10,20,30,45&places=shops'));
    await page.locator('.plot polyline').waitFor();
    await ground(page).waitFor();
    t.deepEqual(await accessibilityProblems(page, `analyse-${name}`), []);
    await page.goto(client.root + start('&drawing=surface&compare=time&otherTime=03:00&compareAs=sides'));
    await page.locator('.map.second .map-picture:not([hidden])').waitFor();
    t.deepEqual(await accessibilityProblems(page, `analyse-sides-${name}`), []);
    await page.goto(client.root + start('&compare=time&otherTime=03:00'));
    await page.getByText('only A reaches it').waitFor();
    t.deepEqual(await accessibilityProblems(page, `analyse-difference-${name}`), []);
    t.deepEqual(errors, []);
  });
}

for (const [what, near, more] of [
  ['the origin', 'to', ''],
  ['the second origin', 'from', '&compare=origin&otherOrigin={to}'],
] as const) {
  inBrowser(`the map moves to ${what} out of sight, although ground that is reached is in sight`, async (t) => {
    const ends = client.ends();
    const around = ends[near].replace(',', '&lon=');
    const [{ id }] = await client.app.json(`/routers/village/index/stops?lat=${around}&radius=500`);
    const { page } = await client.open(t, `#tab=explore&thing=${encodeURIComponent(`stop/${id}`)}`);
    await page.locator('.thing').waitFor();
    await mapIsDrawn(page);
    await page.goto(client.root + start(`&cutoffs=60${more.replace('{to}', ends.to)}`));
    await page.locator('.analyse .keys').first().waitFor();
    await mapIsDrawn(page);
    const map = await page.locator('.map').boundingBox();
    for (const origin of await page.locator('.pin.origin').all()) {
      const pin = await origin.boundingBox();
      if (!pin || !map) throw new Error('there is no map');
      t.true(pin.y > map.y && pin.y + pin.height < map.y + map.height && pin.x > map.x);
    }
  });
}
