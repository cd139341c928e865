/** Planning trips in a browser, over a real server of the sample town. */

import { until } from '../support/until.js';
import { ClientTests, MONDAY, mapIsDrawn, PHONE, planned, WIDE } from './client-page.js';

const client = new ClientTests();
const inBrowser = client.test;

/** Address of a trip through the town. */
function trip(more = ''): string {
  const { from, to } = client.ends();
  return `#from=${from}&to=${to}${more}`;
}

inBrowser('the length of a trip is that between its times', async (t) => {
  const { page } = await client.open(t);
  for (const mode of ['', '&mode=walk', '&mode=bicycle', '&mode=car']) {
    await planned(page, () => page.goto(client.root + trip(mode)));
    for (const card of await page.locator('.card').all()) {
      const times = (await card.locator('.times').textContent()) ?? '';
      const [start = 0, end = 0] = times.split('–').map((time) => {
        const [hour = 0, minute = 0] = time.split(':').map(Number);
        return 60 * hour + minute;
      });
      t.is(await card.locator('.length').textContent(), `${end - start} min`);
    }
  }
});

inBrowser('plans between written coordinates, by keyboard, and asks only its server', async (t) => {
  const { page, errors, hosts } = await client.open(t, '', { moving: true, map: 'transit' });
  const { from, to } = client.ends();
  await page.getByLabel('Start', { exact: true }).fill(from);
  await page.keyboard.press('Enter');
  await page.getByLabel('Destination', { exact: true }).fill(to);
  await page.keyboard.press('Enter');
  const first = page.locator('.card').first();
  await first.waitFor();
  t.regex((await first.locator('.times').textContent()) ?? '', /^\d\d:\d\d – \d\d:\d\d$/);
  const summary = first.getByRole('button').first();
  t.is(await summary.getAttribute('aria-expanded'), 'false');
  await summary.focus();
  await page.keyboard.press('Enter');
  await first.locator('.legs').waitFor();
  t.is(await summary.getAttribute('aria-expanded'), 'true');
  t.regex((await page.locator('.results [role=status]').first().textContent()) ?? '', /\d trips? found/);
  t.deepEqual(errors, []);
  t.is(hosts.size, 1);
});

inBrowser('shows the itineraries of the server in the order of departure, on one axis', async (t) => {
  const { page, plan } = await client.openTrip(t, trip());
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Vienna', hour: '2-digit', minute: '2-digit' });
  const expected = plan.itineraries
    .toSorted((a: any, b: any) => a.startTime - b.startTime || a.endTime - b.endTime)
    .map(({ startTime, endTime }: any) => `${clock.format(startTime)} – ${clock.format(endTime)}`);
  t.deepEqual(await page.locator('.card .times').allTextContents(), expected);
  t.true((await page.locator('.tick').count()) >= 2);
});

inBrowser('a stop is found by its name with the arrow keys', async (t) => {
  const { page } = await client.open(t);
  const field = page.getByRole('combobox', { name: 'Destination' });
  await field.fill('märkt');
  // The traveller's position is offered before anything is found.
  await page.getByRole('option').filter({ hasText: /märkt/i }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  const active = await field.getAttribute('aria-activedescendant');
  t.is(await page.getByRole('option').first().getAttribute('id'), active);
  const name = (await page.getByRole('option').first().locator('.offer-name').textContent()) ?? '';
  await page.keyboard.press('Enter');
  await page.locator('.pin.end').waitFor();
  t.is(await field.inputValue(), name);
  t.true(decodeURIComponent(page.url()).replaceAll('+', ' ').includes(`to=${name}::`));
});

inBrowser('leaving the field before the search has ended takes the place all the same', async (t) => {
  const { page } = await client.open(t);
  const field = page.getByRole('combobox', { name: 'Start' });
  await field.fill('Glockenbrück');
  await page.keyboard.press('Tab');
  await page.locator('.pin.start').waitFor();
  t.is(await field.inputValue(), 'Glockenbrück');
});

inBrowser('a place that does not exist is refused with a reason', async (t) => {
  const { page } = await client.open(t);
  const field = page.getByRole('combobox', { name: 'Start' });
  await field.fill('nowhere at all');
  await page.keyboard.press('Tab');
  await page.getByText('No place is called “nowhere at all”').waitFor();
  t.is(await field.getAttribute('aria-invalid'), 'true');
});

inBrowser('two clicks on the map plan a trip, a third asks what is meant', async (t) => {
  const { page, errors } = await client.open(t, '', { map: 'transit' });
  const map = page.locator('.map');
  await map.click({ position: { x: 200, y: 600 } });
  await page.locator('.pin.start').waitFor();
  await planned(page, () => map.click({ position: { x: 420, y: 250 } }));
  await map.click({ position: { x: 500, y: 500 } });
  const { query } = await planned(page, () => page.getByRole('button', { name: 'Travel via here' }).click());
  t.is(query.getAll('intermediatePlaces').length, 1);
  t.is(await page.locator('.pin.via').count(), 1);
  t.true(page.url().includes('via='));
  t.deepEqual(errors, []);
});

inBrowser('the map stays where it is as long as new trips are in sight', async (t) => {
  const { page } = await client.openTrip(t, trip(), { moving: true });
  const marks = async () => [
    await page.locator('.pin.start').boundingBox(),
    await page.locator('.pin.end').boundingBox(),
  ];
  const before = await marks();
  const [start, end] = before.map((box) => box?.y ?? Number.NaN);
  t.true(Number(start) - Number(end) > 0.75 * WIDE.height, 'the trip of a link fills the map');
  const travelBy = (mode: string) => planned(page, () => page.getByRole('radio', { name: mode }).check());
  for (const mode of ['Walk', 'Transit']) {
    await travelBy(mode);
    t.deepEqual(await marks(), before);
  }
  for (let press = 0; press < 3; press += 1) {
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await mapIsDrawn(page);
  }
  const isSeen = (box: { y: number } | null) => box !== null && box.y >= 0 && box.y < WIDE.height;
  t.deepEqual((await marks()).map(isSeen), [false, false]);
  await travelBy('Walk');
  t.deepEqual((await marks()).map(isSeen), [true, true], 'the map moves to a trip that is not in sight');
});

inBrowser('the map is busy from the moment that new trips are in sight, and while it moves', async (t) => {
  const { page } = await client.openTrip(t, trip(), { moving: true, map: 'transit' });
  await page.evaluate(`globalThis.busy = []; new MutationObserver(([{ target }]) => {
    if (!target.classList.contains('old')) globalThis.busy.push(document.querySelector('.map').ariaBusy);
  }).observe(document.querySelector('.results'), { attributeFilter: ['class'] })`);
  await planned(page, () => page.getByRole('radio', { name: 'Walk' }).check());
  t.deepEqual(await page.evaluate('globalThis.busy'), ['true']);
  const zoomIn = `document.querySelector('.map-controls button').click(); document.querySelector('.map').ariaBusy`;
  t.is(await page.evaluate(zoomIn), 'true');
  await mapIsDrawn(page);
});

inBrowser('the buttons above the map of a phone cover no end of a trip', async (t) => {
  const { page } = await client.openTrip(t, trip(), { screen: PHONE });
  const buttons = await page.locator('.head').boundingBox();
  const pin = await page.locator('.pin.end').boundingBox();
  t.true((pin?.y ?? 0) >= (buttons ? buttons.y + buttons.height : Infinity), JSON.stringify({ buttons, pin }));
});

inBrowser('in a low window, the panel scrolls and not the page, and the first trip is in sight', async (t) => {
  const { page } = await client.openTrip(t, trip(), { screen: { width: 844, height: 340 } });
  await page.locator('.card').first().waitFor();
  t.is(await page.evaluate('document.documentElement.scrollHeight'), 340);
  const card = await page.locator('.card .times').first().boundingBox();
  t.true(card !== null && card.y + card.height < 340, `the first trip is in sight: ${JSON.stringify(card)}`);
  // Unfolded, the form can be folded again.
  await page.locator('.folded-form').click();
  await page.getByRole('button', { name: 'Show trips' }).click();
  await page.locator('.folded-form').waitFor();
});

inBrowser('a changed mode, time or option plans again, and going back undoes each', async (t) => {
  const { page } = await client.openTrip(t, trip());
  const asked = async (name: string, act: () => Promise<unknown>) => (await planned(page, act)).query.get(name);
  t.is(await asked('mode', () => page.getByRole('radio', { name: 'Bicycle' }).check()), 'BICYCLE');
  t.is(await asked('arriveBy', () => page.getByLabel('When').selectOption('arrive')), 'true');
  t.is(await asked('time', () => page.getByLabel('Time').fill('17:30')), '17:30');
  t.is(await asked('time', () => page.goBack()), '09:00');
  t.is(await asked('arriveBy', () => page.goBack()), null);
  t.is(await asked('mode', () => page.goBack()), 'TRANSIT,WALK');
  t.is(await asked('mode', () => page.goForward()), 'BICYCLE');
  t.true(await page.getByRole('radio', { name: 'Bicycle' }).isChecked());
});

inBrowser('the weights of the triangle are sent for the rider’s own bicycle', async (t) => {
  const { page } = await client.openTrip(t, trip('&mode=bicycle'));
  await page.getByText('Options', { exact: true }).click();
  const next = page.waitForRequest((request) => request.url().includes('optimize=TRIANGLE'));
  await page.locator('.triangle svg').click({ position: { x: 12, y: 102 } });
  const query = new URL((await next).url()).searchParams;
  const [safe, flat, fast] = ['Safety', 'Slope', 'Time'].map((name) => Number(query.get(`triangle${name}Factor`)));
  t.true((safe ?? 0) > 0.8, `${safe} ${flat} ${fast}`);
  t.is((safe ?? 0) + (flat ?? 0) + (fast ?? 0), 1);
});

inBrowser('a reload, a second page and a copied link show the same trip', async (t) => {
  const { page } = await client.openTrip(t, trip('&when=depart&date=2026-11-24&time=17:00'));
  await page.locator('.card').nth(1).getByRole('button').first().click();
  const seen = () => page.locator('.card.open .times').textContent();
  const chosen = await seen();
  const fragment = new URL(page.url()).hash;
  await planned(page, () => page.reload());
  t.is(await seen(), chosen);
  const { from, to } = client.ends();
  await until(async () => (await page.title()) === `${from} – ${to} – Trestle`);
  const other = await client.openTrip(t, fragment);
  t.is(await other.page.locator('.card.open .times').textContent(), chosen);
  t.is(new URL(other.page.url()).hash, fragment);
});

inBrowser('a link of the present says when the trips were searched for', async (t) => {
  const { page } = await client.openTrip(t, trip());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.setFixedTime(MONDAY.getTime() + 20 * 60_000);
  await page.locator('.card').last().getByRole('button').first().click();
  await page.locator('.card.open').waitFor();
  await page.getByRole('button', { name: 'Copy a link' }).click();
  await page.getByText('Link copied').waitFor();
  const link = new URL((await page.evaluate('navigator.clipboard.readText()')) as string);
  const query = new URLSearchParams(link.hash.slice(1));
  t.deepEqual([query.get('when'), query.get('date'), query.get('time')], ['depart', '2026-11-23', '09:00']);
  // Browsers have no clipboard for pages that came without TLS.
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
  await page.getByRole('button', { name: 'Copy a link' }).click();
  const field = page.locator('.share input');
  t.true(((await field.boundingBox())?.width ?? 0) > 300, 'the link has a row of its own');
  const chosen = await page.evaluate(
    '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)',
  );
  t.is(chosen, link.href);
});

inBrowser('earlier and later trips come around the first ones', async (t) => {
  const { page } = await client.openTrip(t, trip('&when=depart&date=2026-11-23&time=12:00'));
  const count = await page.locator('.card').count();
  const first = await page.locator('.card .times').first().textContent();
  await page.getByRole('button', { name: 'Later' }).click();
  await page.locator('.card').nth(count).waitFor();
  const more = await page.locator('.card').count();
  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.locator('.card').nth(more).waitFor();
  t.true(((await page.locator('.card .times').first().textContent()) ?? '') < (first ?? ''));
  await page.goBack();
  await page.locator('.card').nth(more).waitFor({ state: 'detached' });
  t.is(await page.locator('.card .times').first().textContent(), first);
});

inBrowser('of the trips that arrive by a time, the last one is shown, also among earlier ones', async (t) => {
  const { page, plan } = await client.openTrip(t, trip('&when=arrive&date=2026-11-23&time=09:00'));
  const shown = page.locator('.card.shown .times');
  const best = await shown.textContent();
  t.is(best, await page.locator('.card .times').last().textContent());
  await planned(page, () => page.getByRole('button', { name: 'Earlier' }).click());
  t.true((await page.locator('.card').count()) > plan.itineraries.length);
  t.is(await shown.textContent(), best);
});

inBrowser('steps, heights and stops on the way are shown, and a step is marked on the map', async (t) => {
  const { page } = await client.openTrip(t, trip('&mode=bicycle'));
  await page.locator('.card.open .elevation').first().waitFor();
  await page.getByText(/\d steps?$/).click();
  await page.locator('.step').nth(1).hover();
  t.regex((await page.locator('.step').nth(1).textContent()) ?? '', /^(Turn|Bear|Continue).+: \p{L}+.* (m|km)$/u);
});

inBrowser('the first date is one with usual service, in the zone of the town', async (t) => {
  const years = { now: new Date('2031-03-02T23:30:00Z'), timezoneId: 'America/Los_Angeles' };
  const { page } = await client.openTrip(t, trip(), years);
  t.is(await page.getByLabel('When').inputValue(), 'depart');
  t.deepEqual(await page.getByLabel('When').locator('option').allTextContents(), ['Leave at', 'Arrive by']);
  const { firstDate, trips } = (await client.app.json('/routers/village/serviceDays')) as {
    firstDate: string;
    trips: number[];
  };
  const date = await page.getByLabel('Date').inputValue();
  const runs = trips[Math.round((Date.parse(date) - Date.parse(firstDate)) / 86_400_000)] ?? 0;
  t.true(runs >= Math.max(...trips) / 2, `${runs} trips on ${date}`);
  t.is(await page.getByLabel('Time').inputValue(), '08:00');
});

inBrowser('times are those of the town wherever the browser is', async (t) => {
  const { page } = await client.openTrip(t, trip(), { now: MONDAY, timezoneId: 'Asia/Tokyo' });
  await page.getByLabel('When').selectOption('depart');
  t.is(await page.getByLabel('Time').inputValue(), '09:00');
  t.is(await page.getByLabel('Date').inputValue(), '2026-11-23');
  await page.getByText('times in Europe/Vienna').waitFor();
});

inBrowser(
  'a printed trip has the map in light colours with its pins, and all of its steps though it is folded',
  async (t) => {
    const { page, errors } = await client.openTrip(t, trip(), { map: 'everything', dark: true });
    await mapIsDrawn(page);
    const legs = page.locator('.card.shown .legs');
    t.is(await legs.count(), 0);
    const printed = page.evaluate(`new Promise((done) => {
    window.print = () => {
      const picture = document.querySelector('.card.shown .print-map');
      const details = [...document.querySelectorAll('.card.shown .legs details')];
      dispatchEvent(new Event('afterprint'));
      const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
      const context = canvas.getContext('2d');
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const has = (color) => data.some((_, at) => at % 4 === 0 && color.every((value, i) => data[at + i] === value));
      const pins = [[10, 107, 95], [179, 38, 30]].map(has);
      const isLight = data.filter((value) => value > 200).length > data.length / 2;
      done([picture.naturalWidth > 500, isLight, ...pins, details.length > 0, details.filter(({ open }) => !open).length]);
    };
  })`);
    await page.getByRole('button', { name: 'Print' }).click();
    t.deepEqual(await printed, [true, true, true, true, true, 0]);
    await legs.waitFor({ state: 'detached' });
    t.is(await page.locator('.print-map').count(), 0);
    // The menu of the browser prints without that button.
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await legs.waitFor();
    t.is(await page.getByRole('combobox', { name: 'Start' }).isVisible(), false);
    const [places, day] = await page.locator('.paper-head > *').allTextContents();
    t.regex(String(places), /^\S+ – \S+$/);
    t.is(day, 'Mon, 23 November 2026');
    t.deepEqual(errors, [], 'of the whole map in both colours, too');
  },
);

inBrowser('the ends that are off the map are named', async (t) => {
  const { from, to } = client.ends();
  const { page } = await client.open(t, `#from=${from}&to=10,10`);
  await page.getByText('The destination is outside the area of this map').waitFor();
  await page.goto(`${client.root}#from=10,10&to=${to}`);
  await page.getByText('The start is outside the area of this map').waitFor();
  await page.goto(`${client.root}#from=10,10&to=11,11`);
  await page.getByText('Start and destination are outside the area of this map').waitFor();
  await page.goto(`${client.root}#from=${from}&to=${to}&via=10,10`);
  await page.getByText('A place on the way is outside the area of this map').waitFor();
  t.pass();
});

inBrowser('the page says when the server does not answer, and asks it again', async (t) => {
  const { page } = await client.openTrip(t, trip());
  await page.route('**/plan?*', (route) => route.abort());
  await page.getByRole('radio', { name: 'Walk' }).check();
  await page.getByText('The server does not answer').waitFor();
  await page.unroute('**/plan?*');
  await page.locator('.card').first().waitFor();
  t.is(await page.getByText('The server does not answer').count(), 0);
});

inBrowser('a trip is in sight on a phone in landscape, and on a very small screen', async (t) => {
  for (const screen of [
    { width: 667, height: 375 },
    { width: 320, height: 256 },
  ]) {
    const { page } = await client.openTrip(t, trip(), { screen });
    const sheet = await page.locator('.sheet').boundingBox();
    const pins = await Promise.all(['start', 'end'].map((end) => page.locator(`.pin.${end}`).boundingBox()));
    const [start, end] = pins.map((pin) => (pin ? pin.y + pin.height : Number.NaN)) as [number, number];
    if (screen.height > 300)
      t.true((pins[1]?.y ?? -1) >= 0, `${screen.height}: the whole mark of the destination, from ${pins[1]?.y}`);
    const scale = await page.locator('.maplibregl-ctrl-scale').boundingBox();
    const buttons = await page.locator('.map-controls').boundingBox();
    t.true(
      (scale?.x ?? 0) + (scale?.width ?? 0) <= (buttons?.x ?? 0),
      `${screen.height}: the scale is beside the buttons`,
    );
    t.true(start < (sheet?.y ?? 0) && end > 0 && start - end > 40, `${screen.height}: ${start} ${end}`);
  }
});

inBrowser('a page of a proxy is not shown as the reason of the server', async (t) => {
  const { page } = await client.openTrip(t, trip());
  const answer = { status: 500, contentType: 'text/html', body: '<html>Internal Server Error</html>' };
  await page.route('**/plan?*', (route) => route.fulfill(answer));
  await page.getByRole('radio', { name: 'Walk' }).check();
  t.is(await page.locator('.failure p').textContent(), 'The server refused the request: status 500');
});

inBrowser('trips stay when those around them cannot be searched for', async (t) => {
  const { page } = await client.openTrip(t, trip('&when=depart&date=2026-11-23&time=12:00'));
  const times = page.locator('.card .times');
  const found = await times.allTextContents();
  await page.route('**/plan?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Later' }).click();
  await page.locator('.cards + .failure').waitFor();
  t.deepEqual(await times.allTextContents(), found);
  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.locator('.results-head + .failure').waitFor();
  t.deepEqual(await times.allTextContents(), found);
  await page.unroute('**/plan?*');
  await page.locator('.failure').first().waitFor({ state: 'detached' });
  const all = await times.allTextContents();
  t.true(all.length >= found.length + 2, all.join());
  t.deepEqual(all, all.toSorted());
});

inBrowser('trips are found as soon as the network is back', async (t) => {
  const { page } = await client.openTrip(t, trip());
  await page.context().setOffline(true);
  await page.getByRole('radio', { name: 'Walk' }).check();
  await page.getByText('The server does not answer').waitFor();
  const { plan } = await planned(page, () => page.context().setOffline(false));
  t.is(plan.itineraries[0].transfers, 0);
  t.is(await page.getByText('The server does not answer').count(), 0);
});

inBrowser('a trip by car says nothing of ways on foot', async (t) => {
  const { page } = await client.openTrip(t, trip('&mode=car'));
  const facts = await page.locator('.facts').allTextContents();
  t.false(facts.join().includes('on foot'), facts.join());
});

inBrowser('a date that is typed is one step, and one that is left unfinished is shown again', async (t) => {
  const { page } = await client.openTrip(t, trip('&when=depart&date=2026-11-23&time=09:00'));
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/plan')) asked.push(searchParams.get('date') ?? '');
  });
  const steps = await page.evaluate('history.length');
  const date = page.getByLabel('Date', { exact: true });
  await date.focus();
  await page.keyboard.type('11242026');
  await page.waitForURL(/date=2026-11-24/);
  t.is(await page.evaluate('history.length'), Number(steps) + 1);
  t.deepEqual(
    asked.filter((one) => !one.startsWith('2026-')),
    [],
  );
  await date.focus();
  await page.keyboard.press('Delete');
  t.is(await date.inputValue(), '');
  await date.blur();
  t.is(await date.inputValue(), '2026-11-24');
});

inBrowser('trips are in sight on a phone as soon as they are found', async (t) => {
  const hash = trip('&when=depart&date=2026-11-23&time=09:00');
  const { page } = await client.openTrip(t, hash, { screen: { width: 320, height: 568 } });
  const card = await page.locator('.card').first().boundingBox();
  const tabs = await page.getByRole('tablist').boundingBox();
  t.true(card !== null && tabs !== null && card.y + card.height <= tabs.y, JSON.stringify({ card, tabs }));
  const folded = page.getByRole('button', { name: 'Change the trip' });
  t.regex((await folded.textContent()) ?? '', /Mon, 23 November 2026/);
  await folded.click();
  await page.getByRole('combobox', { name: 'Start' }).waitFor();
});

inBrowser('the menu of the map is closed by Escape, and by another tab', async (t) => {
  const { page } = await client.openTrip(t, trip());
  const menu = page.locator('.map-menu');
  const open = async () => {
    await page.locator('.map').click({ position: { x: 500, y: 500 } });
    await menu.waitFor();
  };
  await open();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  t.is(await page.evaluate('document.activeElement.tagName'), 'CANVAS');
  await open();
  await page.getByRole('tab', { name: 'Explore' }).click();
  await page.getByLabel('Stop or line').waitFor();
  await page.getByRole('tab', { name: 'Plan' }).click();
  await page.locator('.card').first().waitFor();
  t.is(await menu.count(), 0);
});

inBrowser('a trip on another day than the first says so, and so do trips hours after the time chosen', async (t) => {
  const { page } = await client.prepare(t);
  let postponed = (trips: any[]) => trips.slice(-1);
  await page.route('**/plan?*', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const trips = postponed(answer.plan.itineraries);
    for (const part of trips.flatMap((one) => [one, ...one.legs])) {
      part.startTime += 86_400_000;
      part.endTime += 86_400_000;
    }
    await route.fulfill({ json: answer });
  });
  await page.goto(`${client.root}${trip('&when=depart&date=2026-11-23&time=12:00')}`);
  await page.locator('.card').nth(1).waitFor();
  const monday = /Mon,? 23 Nov/;
  t.regex((await page.locator('.results-head h2').textContent()) ?? '', monday);
  t.is(await page.locator('.card-head', { hasText: monday }).count(), 0);
  t.is(
    await page
      .locator('.card')
      .last()
      .locator('.card-head', { hasText: /Tue,? 24 Nov/ })
      .count(),
    1,
  );
  const note = page.getByText('No trip is near the time that you chose');
  t.is(await note.count(), 0);
  postponed = (trips) => trips;
  await page.reload();
  await note.waitFor();
});
