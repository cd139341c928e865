/** Names that are longer than a line, and texts in narrow panels. */

import type { Page } from 'playwright-core';
import { ClientTests, PHONE, planned } from './client-page.js';

const client = new ClientTests();
const inBrowser = client.test;

const NARROW = { width: 320, height: 700 };
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Gives everything in the answers of the server a name that no line has room for; routes have no short names. */
async function nameAtLength(page: Page): Promise<void> {
  await page.route(/graphql|\/plan\?/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text())
      .replaceAll(/"(name|longName|headsign|tripHeadsign|routeLongName|agencyName)":"[^"]*"/g, `"$1":"${LONG}"`)
      .replaceAll(/"shortName":"[^"]*"/g, '"shortName":null');
    await route.fulfill({ response: answer, body: text });
  });
}

/** Elements of the panel that reach out of it, and those whose content is wider than they are. */
function tooWide(page: Page, elements: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('${elements}')]
    .filter((one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.className + ' ' + one.textContent)`);
}

inBrowser('long names take more lines instead of widening the panel', async (t) => {
  const { page } = await client.prepare(t, { screen: PHONE });
  await nameAtLength(page);
  const { from, to } = client.ends();
  await planned(page, () => page.goto(`${client.root}#from=${from}&to=${to}`));
  await page.locator('.card .summary').first().click();
  await page.locator('.leg-body .route-badge').first().waitFor();
  t.deepEqual(await tooWide(page, '.pane, .leg-body, .leg-body *:not(.route-badge *)'), []);
  const distances = await page.locator('.legs .stop-line').evaluateAll((lines: any[]) =>
    lines.map((line) => {
      const [time, dot] = ['time', '.dot'].map((one) => line.querySelector(one).getBoundingClientRect());
      return Math.abs(time.top + time.height / 2 - (dot.top + dot.height / 2));
    }),
  );
  t.true(distances.length > 2 && Math.max(...distances) < 4, `the dot of a stop is beside its time: ${distances}`);
  await page.goto(`${client.root}#tab=explore`);
  await page.locator('.lines .line-button').first().click();
  await page.locator('.calls li').first().waitFor();
  t.deepEqual(await tooWide(page, '.pane, .pane h2, .calls span'), []);
  await page.locator('.calls button').first().click();
  await page.locator('.thing h2').waitFor();
  t.deepEqual(await tooWide(page, '.pane, .pane h2'), []);
});

for (const locale of ['de', 'nb']) {
  inBrowser(`choices and labels of numbers fit in the panel: ${locale}`, async (t) => {
    const { from, to } = client.ends();
    const { page } = await client.openTrip(t, `#from=${from}&to=${to}`, { locale });
    t.deepEqual(await tooWide(page, '.segments, .segments span'), []);
    await page.goto(`${client.root}#tab=operate`);
    await page.locator('.numbers dd').last().waitFor({ state: 'attached' });
    t.deepEqual(await tooWide(page, '.numbers dt'), []);
  });
}

inBrowser('a line without a short name is listed with its whole name', async (t) => {
  const { page } = await client.prepare(t, { screen: PHONE });
  await nameAtLength(page);
  await page.goto(`${client.root}#tab=explore`);
  const line = page.locator('.lines .line-button').first();
  await line.waitFor();
  t.is((await line.textContent())?.split(LONG).length, 2, 'once');
  t.deepEqual(await tooWide(page, '.lines .line-button *'), []);
});

/** Texts of these elements that take more than one line. */
function broken(page: Page, elements: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('${elements}')].filter((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map((one) => one.className + ' ' + one.textContent)`);
}

inBrowser('times are never broken', async (t) => {
  const { from, to } = client.ends();
  for (const mode of ['transit', 'bicycle', 'park_ride']) {
    const { page } = await client.openTrip(t, `#from=${from}&to=${to}&mode=${mode}`, { screen: NARROW });
    if ((await page.locator('.card.open').count()) === 0) await page.locator('.card .summary').first().click();
    await page.locator('.leg-body').first().waitFor();
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    t.true((await page.locator('.tick').count()) > 0);
    t.deepEqual(await broken(page, '.tick, time, .times, .length'), [], mode);
  }
});

inBrowser('the number of a line is never cut off', async (t) => {
  const { from, to } = client.ends();
  const { page } = await client.openTrip(t, `#from=${from}&to=${to}`, { screen: NARROW });
  await page.locator('.card .summary').first().click();
  t.true((await page.locator('.leg-body .route-badge').count()) > 0);
  t.deepEqual(await tooWide(page, '.route-badge, .badge-name'), []);
  await page.goto(`${client.root}#tab=explore`);
  await page.locator('.lines .line-button').first().waitFor();
  t.deepEqual(await tooWide(page, '.route-badge, .badge-name'), []);
});

inBrowser('names that are written from right to left keep their order', async (t) => {
  const [{ from, to }, first, second] = [client.ends(), 'תחנת הרכבת', 'שוק'];
  const { page } = await client.openTrip(t, `#from=${first}::${from}&to=${second}::${to}`, { screen: PHONE });
  const [left, right] = (await page.evaluate(`${JSON.stringify([first, second])}.map((name) => {
    const text = document.querySelector('.folded-form strong').firstChild;
    const range = document.createRange();
    range.setStart(text, text.data.indexOf(name));
    range.setEnd(text, text.data.indexOf(name) + name.length);
    return range.getBoundingClientRect().toJSON();
  })`)) as Array<{ left: number; right: number }>;
  t.true(left !== undefined && right !== undefined && left.right < right.left);
});

inBrowser('the date of a trip on a phone is never cut off', async (t) => {
  const { from, to } = client.ends();
  const hash = `#from=${from}&to=${to}&when=arrive&date=2026-11-23&time=08:00`;
  for (const locale of ['de-DE', 'fi-FI', 'pt-PT']) {
    const { page } = await client.openTrip(t, hash, { screen: PHONE, locale });
    const facts = page.locator('.folded-form span:not(.unseen)');
    t.regex((await facts.textContent()) ?? '', /23.*2026/, locale);
    t.deepEqual(await tooWide(page, '.folded-form span:not(.unseen)'), [], locale);
  }
});

inBrowser('a phone shows that a trip by transit is not on foot to the stops', async (t) => {
  const { from, to } = client.ends();
  const facts = async (mode: string) => {
    const { page } = await client.openTrip(t, `#from=${from}&to=${to}&when=now&mode=${mode}`, { screen: PHONE });
    return ((await page.locator('.folded-form span:not(.unseen)').textContent()) ?? '').trim();
  };
  t.is(await facts('transit'), 'Transit · Now');
  t.is(await facts('transit_bicycle'), 'Transit · With your own bicycle · Now');
});
