/** Stops, lines, trips and alerts in the web client, as the server knows them. */

import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { gate } from '../support/gate.js';
import { tripUpdates } from '../support/realtime-feed.js';
import { until } from '../support/until.js';
import { accessibilityProblems, ClientTests, MONDAY, mapIsDrawn, ON_PICTURES, PHONE, WIDE } from './client-page.js';

const client = new ClientTests({ insecure: true });
const inBrowser = client.test;

const DAY_MS = 86_400_000;

/** A call as the index answers it. */
interface Call {
  scheduledDeparture: number;
  serviceDay: number;
  tripId: string;
}

/** A stop with a departure soon after the time of the page, and that departure. */
async function servedStop(): Promise<{ id: string; name: string; call: Call; route: string }> {
  const stops = await client.app.json('/routers/village/index/stops');
  for (const { id, name } of stops) {
    const path = `/routers/village/index/stops/${encodeURIComponent(id)}/stoptimes?startTime=${MONDAY.getTime() / 1000}`;
    for (const { times } of await client.app.json(`${path}&numberOfDepartures=1`)) {
      const [call] = times as Call[];
      if (call === undefined) continue;
      const trip = await client.app.json(`/routers/village/index/trips/${encodeURIComponent(call.tripId)}`);
      return { id, name, call, route: trip.route.id };
    }
  }
  throw new Error('nothing leaves in the village');
}

const hashOf = (kind: string, id: string) => `#tab=explore&thing=${encodeURIComponent(`${kind}/${id}`)}`;
const departures = (page: Page) => page.locator('.departures li');

inBrowser('a line is found by its name, and leads to its stops and the timetable of the day', async (t) => {
  const { page, errors } = await client.open(t, '#tab=explore', { moving: true });
  const [{ id, shortName }] = await client.app.json('/routers/village/index/routes');
  await page.getByLabel('Stop or line').fill(shortName);
  await page.locator('.lines .line-button').filter({ hasText: shortName }).first().click();
  await page.locator('.calls li').first().waitFor();
  t.true(decodeURIComponent(page.url()).includes(`thing=line/${id}`), page.url());
  const stops = await page.locator('.calls li').count();
  await page.locator('label', { hasText: 'Timetable' }).click();
  await page.locator('.timetable td').first().waitFor();
  t.is(await page.locator('.timetable tbody tr').count(), stops - 1);
  const [names, from] = await Promise.all([
    page.locator('.timetable thead th').first().boundingBox(),
    page
      .locator('.timetable thead th', { hasText: /09:|1\d:/ })
      .first()
      .boundingBox(),
  ]);
  const gap = (from?.x ?? 0) - (names?.x ?? 0) - (names?.width ?? 0);
  t.true(Math.abs(gap) < 1.5, `the next run is the first in sight, ${gap} pixels beside the names`);
  const first = page.locator('.timetable thead button').first();
  const leaves = await first.textContent();
  await first.click();
  await page.locator('.calls .call-time').first().waitFor();
  t.is(await page.locator('.calls .call-time b').first().textContent(), leaves);
  await page.goBack();
  await page.getByLabel('Direction').waitFor();
  await page.goBack();
  t.is(await page.getByLabel('Stop or line').inputValue(), shortName, 'what was searched for is still there');
  t.deepEqual(errors, []);
});

inBrowser('the line beside its stops is not interrupted between them', async (t) => {
  const [{ id }] = await client.app.json('/routers/village/index/routes');
  const { page } = await client.open(t, hashOf('line', id));
  await page.locator('.calls li').first().waitFor();
  await page.addStyleTag({ content: '.calls { zoom: 4 }' });
  const box = await page.locator('.calls li').first().boundingBox();
  if (!box) throw new Error('there is no stop');
  const clip = { x: box.x + 34, y: box.y + box.height - 20, width: 4, height: 40 };
  const pixels = await sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer();
  const colours = new Set(
    Array.from({ length: pixels.length / 3 }, (_, i) => pixels.subarray(3 * i, 3 * i + 3).join()),
  );
  t.is(colours.size, 1, [...colours].join(' '));
});

inBrowser('a line that runs every few minutes has a timetable', async (t) => {
  const query = '{ routes { gtfsId patterns { code trips { semanticHash } } } }';
  const { data } = await client.app.json(`/routers/village/index/graphql?query=${encodeURIComponent(query)}`);
  const isFrequent = ({ trips }: any) => trips.every(({ semanticHash }: any) => semanticHash === null);
  const line = data.routes.find(({ patterns }: any) => patterns.every(isFrequent));
  const { page, errors } = await client.open(
    t,
    `${hashOf('line', line.gtfsId)}&when=depart&date=2026-11-23&time=09:00`,
  );
  await page.locator('label', { hasText: 'Timetable' }).click();
  const times = page.locator('.timetable thead button');
  await times.first().waitFor();
  t.true((await times.count()) > 24, 'more than one run an hour');
  const all = await times.allTextContents();
  t.is(new Set(all).size, all.length, 'each run once');
  await times.nth(12).click();
  await page.getByText('Runs at regular intervals.').waitFor();
  t.is(await page.locator('.calls .call-time').first().textContent(), '0 min');
  t.deepEqual(errors, []);
});

inBrowser('a stop shows its next departures, the delay of a trip, and its alerts', async (t) => {
  const { id, name, call } = await servedStop();
  const { page, errors } = await client.open(t, hashOf('stop', id));
  await departures(page).first().waitFor();
  t.is(await page.locator('.thing h2').textContent(), name);
  const times = await page.locator('.departures .call-time b').allTextContents();
  t.deepEqual(times, [...times].sort(), 'the earliest first');
  t.is(await page.locator('.call-time.late').count(), 0);

  const [first] = await client.app.json(`/routers/village/index/trips/${encodeURIComponent(call.tripId)}/stoptimes`);
  const delays = { [first.stopSequence]: 300 };
  const trip = call.tripId.slice(call.tripId.indexOf(':') + 1);
  const feedId = call.tripId.slice(0, call.tripId.indexOf(':'));
  const message = tripUpdates([{ trip, date: '20261123', delays }]);
  const applied = await client.graph.applyTripUpdates(message, { feedId, now: MONDAY.getTime() / 1000 });
  t.is(applied.updated, 1, JSON.stringify(applied.issues));
  t.teardown(() => client.graph.clearTripUpdates());
  const period = { start: (MONDAY.getTime() - DAY_MS) / 1000, end: (MONDAY.getTime() + DAY_MS) / 1000 };
  t.teardown(() => client.graph.setAlerts([]));
  await client.graph.setAlerts([
    {
      id: 'a',
      header: [{ language: '', text: 'Lift out of order' }],
      description: [],
      url: [],
      feedId,
      stop: id,
      directionId: -1,
      periods: [period],
    },
  ]);
  await page.reload();
  await page.locator('.call-time.late').first().waitFor();
  t.regex((await page.locator('.call-time.late').first().textContent()) ?? '', /5 min late/);
  await page.getByText('Lift out of order').waitFor();
  t.deepEqual(errors, []);
});

inBrowser('a station is found once, with its lines, and is the thing that is shown', async (t) => {
  const query = '{ stops { gtfsId name routes { shortName } parentStation { gtfsId name } } }';
  const address = `/routers/village/index/graphql?query=${encodeURIComponent(query)}`;
  const { stops } = (await client.app.json(address)).data;
  const parts = stops.filter((stop: any) => stop.parentStation && stop.routes.length > 0);
  const isOf = (id: string) => parts.filter(({ parentStation }: any) => parentStation.gtfsId === id);
  const part = parts.find(({ parentStation }: any) => isOf(parentStation.gtfsId).length > 1);
  t.truthy(part, 'a station has several platforms');
  const { gtfsId, name } = part.parentStation;
  const { page, errors } = await client.open(t, '#tab=explore');
  await page.getByRole('searchbox').fill(name);
  await page.locator('.found li').first().waitFor();
  const found = page.locator('.found li').filter({ hasText: new RegExp(`^${name}`) });
  t.is(await found.count(), 1);
  const lines = (await found.locator('small').textContent())?.split(' · ') ?? [];
  const wanted = isOf(gtfsId).flatMap(({ routes }: any) => routes.map((route: any) => route.shortName));
  t.deepEqual(lines, [...new Set(wanted)].sort());
  await found.getByRole('button').click();
  await page.locator('.thing h2').waitFor();
  t.true(decodeURIComponent(page.url()).includes(`thing=stop/${gtfsId}`), page.url());
  await until(async () => (await page.title()) === `${name} – Trestle`);
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.getByRole('combobox', { name: 'Start' }).waitFor();
  await until(async () => (await page.title()) === 'Plan – Trestle');
  t.deepEqual(errors, []);
});

inBrowser('while a slow server searches for stops, the lines do not look like all that was found', async (t) => {
  const { page } = await client.open(t, '#tab=explore');
  let held = gate();
  await page.route('**/geocode*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.locator('.lines li').first().waitFor();
  await page.getByRole('searchbox').fill('Glockenbrück');
  const status = page.locator('.explore [role=status]');
  await status.waitFor();
  t.is(await status.textContent(), 'Loading…');
  held.open();
  await page.locator('.found li').first().waitFor();
  t.is(await status.count(), 0);

  held = gate();
  await page.getByRole('searchbox').fill('Hafen');
  await status.waitFor();
  held.open();
  await until(async () => (await status.count()) === 0);
});

inBrowser('stops of one name are found as one, with the departures of all of them', async (t) => {
  const query = '{ stops { gtfsId name code parentStation { gtfsId } routes { shortName } } }';
  const address = `/routers/village/index/graphql?query=${encodeURIComponent(query)}`;
  const stops = (await client.app.json(address)).data.stops.filter(
    ({ parentStation, routes }: any) => parentStation === null && routes.length > 0,
  );
  const isOf = (name: string) => stops.filter((stop: any) => stop.name === name);
  const name = stops.map((stop: any) => stop.name).find((one: string) => isOf(one).length > 1);
  t.truthy(name, 'there is a stop on both sides of a street');
  const { page, errors } = await client.open(t, '#tab=explore');
  await page.getByRole('searchbox').fill(name);
  const found = page.locator('.found li').filter({ hasText: new RegExp(`^${name}`) });
  await found.first().waitFor();
  t.is(await found.count(), 1);
  await found.getByRole('button').click();
  await departures(page).first().waitFor();
  t.is(await page.locator('.thing h2').textContent(), name);
  const shown = /thing=stops\/([^&]+)/.exec(decodeURIComponent(page.url()))?.[1]?.split(',') ?? [];
  t.deepEqual(
    shown.sort(),
    isOf(name)
      .map(({ gtfsId }: any) => gtfsId)
      .sort(),
  );
  const times = await page.locator('.departures .call-time b').allTextContents();
  t.deepEqual(times, [...times].sort(), 'the earliest first');
  await page.reload();
  await departures(page).first().waitFor();
  await page.locator('.thing .found button').first().click();
  await page.waitForURL((url) => decodeURIComponent(url.hash).includes('thing=stop/'));
  t.deepEqual(errors, []);
});

inBrowser('lines with one number are listed as one, which leads to each of them', async (t) => {
  const { page, errors } = await client.prepare(t);
  await page.route('**/graphql', async (route) => {
    const answer = await route.fetch();
    const { data } = await answer.json();
    // As in a feed that has a line of its own for each variant, and only a dash as a long name.
    for (const [i, line] of (data.routes ?? []).entries()) {
      if (i < 3)
        Object.assign(line, { shortName: 'V7', mode: 'BUS', color: 'FF0000', longName: i === 0 ? '-' : `Way ${i}` });
    }
    await route.fulfill({ response: answer, json: { data } });
  });
  await page.goto(`${client.root}#tab=explore`);
  const line = page.locator('.lines .line-button').filter({ hasText: 'V7' });
  await line.first().waitFor();
  t.is(await line.count(), 1);
  t.is(
    await line.locator('.added-names').evaluate((one: any) => one.textContent.replace(/[\u2068\u2069]/g, '')),
    'Way 1 · Way 2',
  );
  await line.click();
  await page.waitForURL((url) => decodeURIComponent(url.hash).includes('thing=lines/'));
  await until(async () => (await line.count()) === 3);
  t.deepEqual(errors, []);
});

inBrowser('the other lines are faint while one is shown', async (t) => {
  const { route } = await servedStop();
  const { page } = await client.prepare(t);
  await page.route('**/vectorTiles/style.json*', async (asked) => {
    const answer = await asked.fetch();
    const style = await answer.json();
    style.layers = style.layers.filter(({ id }: any) => id === 'ground' || id === 'patterns');
    style.layers[1].paint = { 'line-color': '#ff00ff', 'line-width': 6 };
    await asked.fulfill({ response: answer, json: style });
  });
  /** Pixels in about the colour of the lines, also where several run. */
  const strong = async () => {
    await mapIsDrawn(page);
    const { data } = await sharp(await page.locator('.map').screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    let count = 0;
    for (let i = 0; i < data.length; i += 3) {
      if ((data[i] ?? 0) > 230 && (data[i + 1] ?? 0) < 110 && (data[i + 2] ?? 0) > 230) count += 1;
    }
    return count;
  };
  await page.goto(`${client.root}#tab=explore`);
  await page.locator('.lines .line-button').first().waitFor();
  const before = await strong();
  t.true(before > 100, `${before}`);
  await page.goto(client.root + hashOf('line', route));
  await page.locator('.calls li').first().waitFor();
  const during = await strong();
  t.true(during < before / 50, `${during} of ${before}`);
  t.log(`${during} of ${before} pixels`);
  await page.getByRole('button', { name: 'All lines and stops' }).click();
  await page.getByLabel('Stop or line').waitFor();
  t.true((await strong()) > 100);
});

inBrowser('buses come after the modes of which there are fewer lines', async (t) => {
  const { page } = await client.open(t, '#tab=explore');
  await page.locator('.lines .line-button').first().waitFor();
  const modes = await page.locator('.lines h2').allTextContents();
  t.true(modes.length > 1);
  t.is(modes.at(-1), 'Bus', modes.join());
});

inBrowser('departures stay when they cannot be refreshed, but not those of another stop', async (t) => {
  const { id } = await servedStop();
  const { page } = await client.open(t, hashOf('stop', id));
  await departures(page).first().waitFor();
  const shown = await departures(page).allTextContents();
  await page.route('**/graphql', (route) => route.abort());
  const refresh = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await refresh();
  await page.getByText('The server does not answer').waitFor();
  t.deepEqual(await departures(page).allTextContents(), shown);
  await page.goto(client.root + hashOf('stop', 'city:another'));
  await departures(page).first().waitFor({ state: 'detached' });
  await page.getByText('The server does not answer').waitFor();
  await page.unroute('**/graphql');
  await page.goto(client.root + hashOf('stop', id));
  await departures(page).first().waitFor();
  t.is(await page.getByText('The server does not answer').count(), 0);
});

inBrowser('a click on a stop of the map shows it, and going back shows what was before', async (t) => {
  const { id, name } = await servedStop();
  const stop = await client.app.json(`/routers/village/index/stops/${encodeURIComponent(id)}`);
  const { page } = await client.open(t, '#tab=explore', { map: 'transit' });
  await mapIsDrawn(page);
  const { x, y } = await client.pixelOf(page, stop);
  await page.mouse.click(x, y);
  await page.locator('.thing h2').waitFor();
  t.is(await page.locator('.thing h2').textContent(), name);
  await page.goBack();
  await page.getByLabel('Stop or line').waitFor();
});

inBrowser('features are removed from the map when their view is closed', async (t) => {
  const { id, route } = await servedStop();
  const { page, errors } = await client.open(t, '#tab=explore', { map: 'transit' });
  await page.locator('.lines .line-button').first().waitFor();
  const picture = async () => {
    await page.getByRole('button', { name: 'Show the whole area' }).click();
    await mapIsDrawn(page);
    await page.mouse.move(0, 0);
    return sharp(await page.locator('.map').screenshot())
      .removeAlpha()
      .raw()
      .toBuffer();
  };
  const before = await picture();
  for (const thing of [hashOf('line', route), hashOf('stop', id)]) {
    await page.goto(client.root + thing);
    await page.locator('.thing h2').waitFor();
    await page.locator('.calls li, .departures li').first().waitFor();
    await mapIsDrawn(page);
    t.true(changedShare(before, await picture()) > 0.0005, 'it is on the map');
    await page.getByRole('button', { name: 'All lines and stops' }).click();
    await page.getByLabel('Stop or line').waitFor();
    t.true(changedShare(before, await picture()) < 0.0002, 'and gone');
  }
  t.deepEqual(errors, []);
});

/** Share of the bytes of two pictures that differ by more than the drawing of the same map does. */
function changedShare(one: Buffer, other: Buffer): number {
  let changed = 0;
  one.forEach((value, i) => {
    if (Math.abs(value - (other[i] ?? 0)) > 40) changed += 1;
  });
  return changed / one.length;
}

inBrowser('the page says which things are no longer in the schedule, and only of those', async (t) => {
  const { id } = await servedStop();
  const { page } = await client.open(t, '#tab=explore');
  // The content of the page before each screenshot.
  await page.evaluate(`globalThis.said = new Set(); requestAnimationFrame(function look() {
    globalThis.said.add(document.body.textContent.includes('is no longer in the schedule'));
    requestAnimationFrame(look);
  })`);
  await page.goto(client.root + hashOf('stop', id));
  await departures(page).first().waitFor();
  t.deepEqual(await page.evaluate('[...globalThis.said]'), [false]);
  await page.goto(client.root + hashOf('stop', 'city:gone'));
  await page.getByText('is no longer in the schedule').waitFor();
  t.is(await page.locator('.departures').count(), 0);
});

for (const [name, screen] of Object.entries({ wide: WIDE, phone: PHONE })) {
  inBrowser(`Explore has no accessibility fault: ${name}`, async (t) => {
    const { id, route } = await servedStop();
    const { page, errors } = await client.open(t, '#tab=explore', { screen, map: ON_PICTURES });
    await page.locator('.lines .line-button').first().waitFor();
    t.deepEqual(await accessibilityProblems(page, `explore-${name}`), []);
    await page.goto(client.root + hashOf('stop', id));
    await departures(page).first().waitFor();
    t.deepEqual(await accessibilityProblems(page, `explore-stop-${name}`), []);
    await page.goto(client.root + hashOf('line', route));
    await page.locator('label', { hasText: 'Timetable' }).click();
    await page.locator('.timetable td').first().waitFor();
    t.deepEqual(await accessibilityProblems(page, `explore-line-${name}`), []);
    t.deepEqual(errors, []);
  });
}
