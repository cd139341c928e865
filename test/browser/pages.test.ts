/** Pages in a browser's cache: shown again, they work as the first time. */

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { FakeGraph } from '../support/fake-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { findChromium, LONGEST_WAIT_MS, launch } from './chromium.js';

const executable = findChromium();
const inBrowser = executable === undefined ? test.skip : test.serial;

let browser: Browser | undefined;
test.before(async () => {
  if (executable !== undefined) browser = await launch(executable);
});
test.after.always(() => browser?.close());

/** What only the styles and scripts of each page produce. */
const PAGES: Readonly<Record<string, string>> = {
  '/': '.maplibregl-canvas',
  '/otp/docs': '#operations details',
  '/otp/routers/r/index/graphql': '#types dt',
};

/** Loads the page in some way, and waits for what its script produces. */
async function visit(page: Page, load: () => Promise<unknown>, sign: string): Promise<string[]> {
  const problems: string[] = [];
  const note = (message: { type(): string; text(): string }) => {
    if (message.type() === 'error') problems.push(message.text());
  };
  page.on('console', note);
  await load();
  await page.waitForSelector(sign, { state: 'attached', timeout: LONGEST_WAIT_MS });
  page.off('console', note);
  return problems.filter((text) => /Content Security Policy/i.test(text));
}

for (const [address, sign] of Object.entries(PAGES)) {
  inBrowser(`works after reloading, opening twice and going back: ${address}`, async (t) => {
    if (!browser) throw new Error('the browser has not started');
    const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }]);
    const root = app.base.replace(/\/otp$/, '');
    const context: BrowserContext = await browser.newContext();
    t.teardown(() => context.close());
    const first = await context.newPage();
    const second = await context.newPage();
    t.deepEqual(await visit(first, () => first.goto(root + address), sign), [], 'first visit');
    t.deepEqual(await visit(first, () => first.reload(), sign), [], 'reload');
    t.deepEqual(await visit(second, () => second.goto(root + address), sign), [], 'second tab');
    await first.goto(`${root}/health/live`);
    t.deepEqual(await visit(first, () => first.goBack(), sign), [], 'back');
    t.deepEqual(await visit(second, () => second.goto(root + address), sign), [], 'second visit');
  });
}

inBrowser('a client of the operator runs the scripts of its pages', async (t) => {
  if (!browser) throw new Error('the browser has not started');
  const directory = await temporaryDirectory(t);
  await mkdir(path.join(directory, 'js'));
  await writeFile(
    path.join(directory, 'index.html'),
    `<script src="js/settings.js"></script>
     <script>fetch('/' + service + '/index/routes').then((answer) => { document.title = answer.status; });</script>`,
  );
  await writeFile(path.join(directory, 'js', 'settings.js'), "var service = 'otp/routers/r';");
  const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }], { flags: { clientFiles: directory } });
  const page = await browser.newPage();
  t.teardown(() => page.close());
  await page.goto(app.base.replace(/otp$/, 'local/'));
  await page.waitForFunction("document.title === '200'", undefined, { timeout: LONGEST_WAIT_MS });
  t.pass();
});
