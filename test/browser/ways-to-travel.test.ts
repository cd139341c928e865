/** Ways to travel and options of trips in a browser: the requests to the server, and how the page shows its answers. */

import type { Page } from 'playwright-core';
import { polledUpdater, type SourceServer, startSource } from '../support/source-server.js';
import { until } from '../support/until.js';
import { ClientTests, planned } from './client-page.js';

let source: SourceServer;
const client = new ClientTests(
  {},
  {
    async config(t) {
      source = await startSource(t);
      return {
        updaters: [polledUpdater(source, 'bike-rental', '/bikes', { sourceType: 'city-bikes' })],
        // Every street of the town that is not level is too steep for a wheelchair.
        routingDefaults: { maxSlope: 0.001 },
        alightTimes: { BUS: 120, TRAM: 120, RAIL: 120, SUBWAY: 120 },
      };
    },
    close: () => client.app.deps.registry.evictAll(),
  },
);
const inBrowser = client.test;

const trip = (more = '') => `#from=${client.ends().from}&to=${client.ends().to}${more}`;

const options = (page: Page) => page.locator('.more-options summary').click();

inBrowser('a place on the way is searched for, kept in the link, swapped and taken out again', async (t) => {
  const { page, errors } = await client.openTrip(t, trip());
  await page.getByRole('button', { name: 'Add a place on the way' }).click();
  await page.getByRole('combobox', { name: 'On the way' }).fill('Glockenbrück');
  const { query, plan } = await planned(page, () => page.keyboard.press('Tab'));
  const via = query.get('intermediatePlaces') ?? '';
  t.true(via.startsWith('Glockenbrück::'), via);
  t.is(await page.locator('.pin.via').count(), 1);
  // Every trip comes by there: one of its legs ends at the place.
  const [lat = 0, lon = 0] = via.slice('Glockenbrück::'.length).split(',').map(Number);
  for (const { legs } of plan.itineraries) {
    const ends = legs.map((leg: any) => Math.hypot(leg.to.lat - lat, leg.to.lon - lon));
    t.true(Math.min(...ends) < 0.002, `${ends}`);
  }
  const starts = page.locator('.legs .leg > .stop-line:has(+ .ride) strong');
  const startsOf = async () => {
    const card = page.locator('.card').first();
    if ((await card.locator('.legs').count()) === 0) await card.getByRole('button').first().click();
    await card.locator('.legs').waitFor();
    return starts.allTextContents();
  };
  t.true((await startsOf()).includes('Glockenbrück'), 'the trip goes on from the place by its name');
  await planned(page, () => page.goto(page.url().replace(/via=[^&]*/, `via=${lat},${lon}`)));
  t.true((await startsOf()).includes('On the way'), (await startsOf()).join());
  await page.goBack();
  await page.locator('.results:not(.old)').waitFor();
  await planned(page, () => page.reload());
  t.is(await page.locator('.pin.via').count(), 1);
  t.is(await page.getByRole('combobox', { name: 'On the way' }).inputValue(), 'Glockenbrück');
  const swapped = await planned(page, () => page.getByRole('button', { name: 'Swap start and destination' }).click());
  t.is(swapped.query.get('fromPlace'), client.ends().to);
  const without = await planned(page, () => page.getByRole('button', { name: 'Clear: On the way' }).click());
  t.is(without.query.get('intermediatePlaces'), null);
  t.is(await page.locator('.pin.via').count(), 0);
  t.deepEqual(errors, []);
});

inBrowser('options are asked of the server, counted, and kept in the link', async (t) => {
  const { page, errors } = await client.openTrip(t, trip('&when=depart&date=2026-11-23&time=09:00'));
  await options(page);
  const asked = async (name: string, act: () => Promise<unknown>) => (await planned(page, act)).query.get(name);
  t.is(await asked('wheelchair', () => page.getByLabel('Accessible by wheelchair').check()), 'true');
  t.is(await asked('transferPenalty', () => page.getByLabel('Fewer transfers').check()), '600');
  t.is(await asked('maxWalkDistance', () => page.getByLabel('Longest walk').selectOption('5000')), '5000');
  const { query, plan } = await planned(page, () => page.getByRole('checkbox', { name: 'Bus' }).uncheck());
  t.false(query.get('mode')?.split(',').includes('BUS'), query.get('mode') ?? '');
  t.false(plan.itineraries.flatMap((one: any) => one.legs).some(({ mode }: any) => mode === 'BUS'));
  t.is(await page.locator('.more-options .count').textContent(), '4');
  t.is((await planned(page, () => page.reload())).query.toString(), query.toString());
  await planned(page, () => page.goto(page.url().replace('maxWalk=5000', 'maxWalk=400')));
  t.is(await page.getByLabel('Longest walk').inputValue(), '400');
  t.deepEqual(errors, []);
});

inBrowser('trips over streets that are too steep for a wheelchair are marked', async (t) => {
  const { page, errors } = await client.openTrip(t, trip('&when=depart&date=2026-11-23&time=09:00'));
  const mark = page.locator('.card .summary', { hasText: 'too steep for most wheelchairs' });
  t.is(await mark.count(), 0);
  await options(page);
  const { plan } = await planned(page, () => page.getByLabel('Accessible by wheelchair').check());
  t.true(
    plan.itineraries.every(({ tooSloped }: any) => tooSloped),
    'the town has no level way',
  );
  t.is(await mark.count(), plan.itineraries.length);
  t.deepEqual(errors, []);
});

inBrowser('my position is taken once the reader allows it, and a refusal is explained', async (t) => {
  const { page, errors } = await client.open(t);
  const [lat = 0, lon = 0] = client.ends().from.split(',').map(Number);
  const field = page.getByRole('combobox', { name: 'Start' });
  const choose = async () => {
    await field.click();
    await page.getByRole('option', { name: 'My position' }).click();
  };
  await choose();
  await page.getByText('Your device does not share its position.').waitFor();
  t.is(await field.getAttribute('aria-invalid'), 'true');
  t.is(await page.locator('.pin.start').count(), 0);
  await page.context().setGeolocation({ latitude: lat, longitude: lon });
  await page.context().grantPermissions(['geolocation']);
  await choose();
  await page.locator('.pin.start').waitFor();
  t.is(await field.inputValue(), 'My position');
  t.true(decodeURIComponent(page.url()).replaceAll('+', ' ').includes(`from=My position::${lat},${lon}`), page.url());
  t.deepEqual(errors, []);
});

inBrowser('fares and distances are those of the answer, in the units of the reader', async (t) => {
  const { page, plan } = await client.openTrip(t, trip('&when=depart&date=2026-11-23&time=09:00'));
  const paid = plan.itineraries.find(({ fare }: any) => fare?.fare.regular);
  const card = page.locator('.card', { has: page.locator('.facts', { hasText: '€' }) }).first();
  await card.getByRole('button').first().click();
  const price = `€${(paid.fare.fare.regular.cents / 100).toFixed(2)}`;
  t.is(await card.locator('.fares').textContent(), `Fare${price}`);
  t.true(((await card.locator('.facts').textContent()) ?? '').includes(price));
  t.regex((await card.locator('.facts').textContent()) ?? '', /\d (km|m) on foot/);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Units').selectOption('imperial');
  await page.keyboard.press('Escape');
  t.regex((await card.locator('.facts').textContent()) ?? '', /\d (mi|ft) on foot/);
  await card
    .getByText(/\d steps?$/)
    .first()
    .click();
  t.regex((await card.locator('.step').first().textContent()) ?? '', /\d (mi|ft)$/);
  t.regex((await page.locator('.maplibregl-ctrl-scale').textContent()) ?? '', /(mi|ft)$/);
  t.regex((await card.locator('.elevation').first().textContent()) ?? '', /Elevation \d+ ft to \d+ ft/);
});

inBrowser('a rented bike is fetched at one station and left at another', async (t) => {
  const [from, to] = [client.ends().from, client.ends().to].map((end) => end.split(',').map(Number));
  const station = (id: string, [lat = 0, lon = 0]: number[] = []) => {
    return { id, name: `Station ${id}`, lat: lat * 1e6, lng: lon * 1e6, bikes: 5, free: 5 };
  };
  source.answers['/bikes'] = JSON.stringify([station('A', from), station('B', to)]);
  await until(async () => (await client.app.json('/routers/village/bike_rental')).stations.length === 2);
  const { page, errors } = await client.openTrip(t, trip('&mode=rental'));
  const card = page.locator('.card').first();
  await card.getByRole('button').first().click();
  const text = (await card.locator('.legs').textContent()) ?? '';
  t.regex(text, /Station A.*Rental bicycle.*Station B/);
  await options(page);
  t.is(await page.getByLabel('Which bicycle').inputValue(), 'rental');
  const own = await planned(page, () => page.getByLabel('Which bicycle').selectOption('bicycle'));
  t.is(own.query.get('mode'), 'BICYCLE');
  t.deepEqual(errors, []);
});

inBrowser('the minutes between two legs are beside the times around them, so that the times add up', async (t) => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Vienna', hour: '2-digit', minute: '2-digit' });
  for (const [mode, text] of [
    ['transit', 'min to get off'],
    ['park_ride', 'min to park'],
  ] as const) {
    const { page, plan } = await client.openTrip(t, trip(`&mode=${mode}&when=depart&date=2026-11-23&time=09:00`));
    const pauses = plan.itineraries.map(({ legs }: any) =>
      legs.flatMap((leg: any, i: number) => {
        const before = legs[i - 1];
        const minutes = before ? Math.floor(leg.startTime / 60_000) - Math.floor(before.endTime / 60_000) : 0;
        const isNamed = minutes > 0 && !leg.transitLeg && before.transitLeg === (mode === 'transit');
        return isNamed ? [`${clock.format(before.endTime)} ${before.to.name} ${minutes} ${text}`] : [];
      }),
    );
    const longest = Math.max(...pauses.map((one: string[]) => one.length));
    t.true(longest > 0, `${mode}: something takes minutes`);
    const trips = plan.itineraries.toSorted((a: any, b: any) => a.startTime - b.startTime || a.endTime - b.endTime);
    const which = trips.indexOf(plan.itineraries[pauses.findIndex((one: string[]) => one.length === longest)]);
    const card = page.locator('.card').nth(which);
    if (trips.length > 1) await card.getByRole('button').first().click();
    await card.locator('.legs').waitFor();
    const shown = await card.locator('.waiting-time', { hasText: text }).evaluateAll((all: any[]) =>
      all.map((one) => {
        const line = one.previousElementSibling;
        const parts = [line.querySelector('time').textContent, line.querySelector('strong').textContent];
        return [...parts, one.textContent].join(' ');
      }),
    );
    t.deepEqual(shown, pauses[plan.itineraries.indexOf(trips[which])]);
  }
});

inBrowser('a trip that is a ride alone begins and ends when its card says, outside of the train', async (t) => {
  const { page } = await client.prepare(t);
  await page.route('**/plan?*', async (route) => {
    const response = await route.fetch();
    const answer: any = await response.json();
    const rides = answer.plan.itineraries.filter(({ transfers, legs }: any) => transfers === 0 && legs.length === 3);
    t.true(rides.length > 0);
    for (const ride of rides) ride.legs = [ride.legs[1]];
    answer.plan.itineraries = [rides[0]];
    await route.fulfill({ response, json: answer });
  });
  await page.goto(`${client.root}${trip('&when=depart&date=2026-11-23&time=09:00')}`);
  const card = page.locator('.card.open');
  await card.locator('.legs').waitFor();
  const ends = await card.locator('.legs .stop-line').allInnerTexts();
  const [first = '', , , last = ''] = ends.map((end) => end.replace(/\s+/g, ' '));
  const [start, end] = ((await card.locator('.times').textContent()) ?? '').split(' – ');
  t.deepEqual([ends.length, first, last], [4, `${start} Start`, `${end} Destination`]);
  t.regex((await card.locator('.waiting-time').allTextContents()).join(), /^Wait \d+ min,\d+ min to get off$/);
});

inBrowser('a car is parked at a station, and the trip goes on by transit', async (t) => {
  const { page, errors } = await client.openTrip(t, trip());
  await options(page);
  const { query, plan } = await planned(page, () => page.getByLabel('To and from stops').selectOption('park_ride'));
  t.is(query.get('mode'), 'CAR_PARK,WALK,TRANSIT');
  t.true(plan.itineraries.length > 0);
  const facts = await page.locator('.card .facts').allTextContents();
  const drives = plan.itineraries.filter((one: any) => one.legs.some(({ mode }: any) => mode === 'CAR'));
  t.true(drives.length > 0);
  t.is(facts.filter((fact) => fact.includes('by car')).length, drives.length);
  t.true(page.url().includes('mode=park_ride'));
  t.deepEqual(errors, []);
});

inBrowser('notes about streets are in the language of the reader, and alerts in the words of the feed', async (t) => {
  const { page } = await client.prepare(t, { locale: 'de' });
  // As in crates/street/src/osm/notes.rs.
  const written = ['Unpaved surface', 'Unpaved surface -- muddy!', 'Toll road', 'Caution!', 'Diversion'];
  await page.route('**/plan?*', async (route) => {
    const answer = await route.fetch();
    const found = await answer.json();
    found.plan.itineraries[0].legs[0].alerts = written.map((alertHeaderText) => ({ alertHeaderText }));
    await route.fulfill({ response: answer, json: found });
  });
  await planned(page, () => page.goto(`${client.root}${trip('&mode=bicycle')}`));
  t.deepEqual(await page.locator('.alert strong').allTextContents(), [
    'Unbefestigter Weg',
    'Schlammiger, unbefestigter Weg',
    'Mautstraße',
    'Vorsicht!',
    'Diversion',
  ]);
});

inBrowser('nothing moves on its own for readers who prefer reduced motion', async (t) => {
  const { page } = await client.openTrip(t, trip());
  const start = () => page.locator('.pin.start').boundingBox();
  for (let press = 0; press < 3; press += 1) await page.getByRole('button', { name: 'Zoom in' }).click();
  const places: string[] = [];
  await page.getByRole('button', { name: 'Show the whole area' }).click();
  for (let look = 0; look < 5; look += 1) places.push(JSON.stringify(await start()));
  t.is(new Set(places).size, 1, 'the map is there at once');
  await page.locator('.card').nth(1).getByRole('button').first().click();
  const running = `document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 0).length`;
  t.is(await page.evaluate(running), 0);
});

inBrowser('priorities are not dragged any more when the browser has taken the pointer away', async (t) => {
  const { from, to } = client.ends();
  const { page } = await client.openTrip(t, `#from=${from}&to=${to}&mode=bicycle`);
  await page.getByText('Options', { exact: true }).click();
  const triangle = page.locator('.triangle svg');
  const box = await triangle.boundingBox();
  if (!box) throw new Error('there is no triangle');
  const weights = () => page.locator('.weight output').allTextContents();
  const before = await weights();
  await page.mouse.move(box.x + 66, box.y + 20);
  await page.mouse.down();
  t.notDeepEqual(await weights(), before);
  await triangle.dispatchEvent('pointercancel');
  t.deepEqual(await weights(), before);
  await page.mouse.move(box.x + 20, box.y + 100);
  t.deepEqual(await weights(), before);
});
