/** What the address keeps, and what it forgets. */

import type { Page } from 'playwright-core';
import { ClientTests } from './client-page.js';

const client = new ClientTests();
const inBrowser = client.test;

function shown(page: Page): URLSearchParams {
  return new URLSearchParams(new URL(page.url()).hash.slice(1));
}

async function idOfStop(): Promise<string> {
  const [stop] = await client.app.json('/routers/village/index/stops');
  return encodeURIComponent(stop.id);
}

inBrowser('another start, wherever it is chosen, is another search: nothing of the old trips is kept', async (t) => {
  const { from, to } = client.ends();
  const { page } = await client.open(
    t,
    `#from=${from}&to=${to}&later=2&chosen=x&tab=explore&thing=stop/${await idOfStop()}`,
  );
  await page.getByRole('button', { name: 'From here' }).click();
  await page.locator('.results').waitFor();
  const query = shown(page);
  t.not(query.get('from'), from);
  t.deepEqual([query.get('later'), query.get('chosen')], [null, null]);
});

inBrowser('another router is shown without what was chosen in the one before', async (t) => {
  const { page, errors } = await client.prepare(t);
  await page.route('**/otp/routers', async (route) => {
    const response = await route.fetch();
    const { routerInfo } = await response.json();
    await route.fulfill({ json: { routerInfo: [...routerInfo, { ...routerInfo[0], routerId: 'other' }] } });
  });
  await page.route('**/routers/other/**', (route) =>
    route.continue({ url: route.request().url().replace('/routers/other/', '/routers/village/') }),
  );
  const { from, to } = client.ends();
  const ofOne = `from=${from}&origin=${to}&scenario=x&compare=scenario&otherScenario=y&places=z&tripDate=2026-11-23`;
  await page.goto(`${client.root}#tab=explore&mode=walk&thing=stop/${await idOfStop()}&${ofOne}`);
  await page.getByRole('button', { name: 'From here' }).waitFor();
  await page.getByLabel('Area', { exact: true }).selectOption('other');
  await page.getByLabel('Stop or line').waitFor();
  t.deepEqual([...shown(page)].sort(), [
    ['mode', 'walk'],
    ['router', 'other'],
    ['tab', 'explore'],
  ]);
  t.deepEqual(errors, []);
});

inBrowser('a choice that changes nothing adds no step to the history', async (t) => {
  const { page } = await client.open(t);
  const steps = () => page.evaluate('history.length');
  const before = await steps();
  await page.getByRole('tab', { name: 'Plan' }).click();
  t.is(await steps(), before);
  await page.getByRole('tab', { name: 'Explore' }).click();
  t.is(await steps(), Number(before) + 1);
});
