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

inBrowser('another start, wherever it is chosen, is another search: nothing of the former trips is kept', async (t) => {
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
