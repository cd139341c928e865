/** The page that writes queries, in a browser. */

import test from 'ava';
import type { Browser } from 'playwright-core';
import { sharedGraph } from '../support/built-graph.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { findChromium, LONGEST_WAIT_MS, launch } from './chromium.js';

const executable = findChromium();
const inBrowser = executable === undefined ? test.skip : test.serial;

let browser: Browser | undefined;
let feed: Awaited<ReturnType<typeof buildSmallFeed>> | undefined;
let app: TestApp | undefined;
const closers: Array<() => unknown> = [];

test.before(async () => {
  if (executable === undefined) return;
  feed = await buildSmallFeed();
  app = await startApp({ teardown: (close) => closers.push(close) }, [
    { id: 'default', graph: sharedGraph(feed.graph) },
  ]);
  browser = await launch(executable);
});

test.after.always(async () => {
  await browser?.close();
  for (const close of closers) await close();
  await feed?.remove();
});

inBrowser('a query is completed, run and saved; types are shown', async (t) => {
  if (!browser || !app) throw new Error('the browser has not started');
  const page = await browser.newPage();
  t.teardown(() => page.close());
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  const errors: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(`${app.base}/routers/default/index/graphql`);
  await page.waitForSelector('#types dt');
  t.regex((await page.textContent('#types')) ?? '', /stopsByRadius/);

  await page.fill('#query', '{ routes { short } }');
  await page.evaluate("document.getElementById('query').setSelectionRange(16, 16)");
  await page.focus('#query');
  await page.keyboard.press('Control+Space');
  t.is(await page.textContent('#completions [aria-selected="true"]'), 'shortName: String');
  await page.keyboard.press('Tab');
  t.is(await page.inputValue('#query'), '{ routes { shortName } }');

  await page.keyboard.press('Control+Enter');
  // The page does not allow `eval`, so the test waits for an element and not for a function.
  await page.locator('#answer', { hasText: '"10"' }).waitFor();
  t.is(await page.locator('#history option').count(), 2);
  await page.fill('#find', 'wheelchair');
  t.regex((await page.textContent('#types')) ?? '', /WheelchairBoarding/);
  t.deepEqual([errors, [...hosts]], [[], [new URL(app.base).host]]);
});
