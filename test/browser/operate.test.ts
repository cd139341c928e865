/** The web client's view of the server for the people who run it. */

import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { addonMaker } from '../../src/registry/addon-maker.js';
import { hashPassword } from '../../src/server/authenticator.js';
import { jobOver, placesOver } from '../support/job-town.js';
import { smallFeedZip } from '../support/small-feed.js';
import { until } from '../support/until.js';
import { zip } from '../support/zip.js';
import { accessibilityProblems, ClientTests, ON_PICTURES, PHONE, WIDE } from './client-page.js';

const password = await hashPassword('horse');
const users = [
  { name: 'ada', password, roles: ['ROLE_ROUTERS'] },
  { name: 'bob', password, roles: [] },
];
const directory = await mkdtemp(path.join(tmpdir(), 'trestle-operate-'));
const client = new ClientTests(
  { users, jobs: path.join(directory, 'jobs'), graphs: path.join(directory, 'graphs') },
  { maker: addonMaker, close },
);

async function close(): Promise<void> {
  // Without a browser nothing has been started.
  if (client.hasStarted) await client.app.deps.jobs?.queue.close();
  await rm(directory, { recursive: true, force: true });
}

const inBrowser = client.test;

inBrowser('searches per second are counted while the page is open', async (t) => {
  const { page, errors } = await client.open(t, '#tab=operate');
  const searches = page.locator('.numbers dd').first();
  await page.waitForResponse((response) => response.url().endsWith('/metrics'));
  const { from, to } = client.ends();
  for (let count = 0; count < 20; count += 1) {
    await client.app.get(`/routers/village/plan?fromPlace=${from}&toPlace=${to}&date=2026-11-23&time=08:00`);
  }
  await searches.filter({ hasText: /^[1-9]|^0[.][1-9]/ }).waitFor();
  t.deepEqual(errors, []);
});

inBrowser('the message that the load is not known stays while it is asked for again', async (t) => {
  const { page } = await client.open(t, '#tab=operate');
  await page.locator('.numbers dd').first().filter({ hasText: /\d/ }).waitFor();
  let asked = 0;
  await page.route('**/metrics', (route) => {
    asked += 1;
    return route.abort();
  });
  await page.locator('.failure').waitFor();
  await page.evaluate(`removed = 0; new MutationObserver((changes) => {
    for (const { removedNodes } of changes) removed += removedNodes.length;
  }).observe(document.querySelector('section:has(> .numbers)'), { childList: true })`);
  const before = asked;
  await until(() => asked >= before + 2);
  t.is(await page.evaluate('removed'), 0);
});

inBrowser('a router has its schedule, bounds and updaters; its report needs a login', async (t) => {
  const { page, errors } = await client.open(t, '#tab=operate');
  const card = page.locator('.router').first();
  t.regex((await card.locator('.badge').textContent()) ?? '', /^\d+ days left$/);
  await card.getByRole('button', { expanded: false }).click();
  await card.getByText('Bounds').waitFor();
  await card.getByText('No updaters are configured.').waitFor();
  await card.getByText('need an account').waitFor();
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill('horse');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Logged in as ada').waitFor();
  await card.getByText('there is no build report').waitFor();
  t.false(page.url().includes('horse'));
  t.is(await page.evaluate('JSON.stringify(localStorage).includes("horse")'), false);
  t.deepEqual(errors, []);
});

inBrowser('an upload without a login, and one that is not a graph, are refused with a reason', async (t) => {
  const { page } = await client.open(t, '#tab=operate');
  await page.getByLabel('Router ID').fill('other');
  const file = { name: 'a.obj', mimeType: 'application/octet-stream', buffer: Buffer.from('no graph') };
  await page.getByLabel('Graph file').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('alert').waitFor();
  await logIn(page);
  const refused = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Upload' }).click();
  t.is((await refused).status(), 400);
  await page.getByRole('alert').waitFor();
});

inBrowser('the root graph, whose id is empty, has a name', async (t) => {
  const { page } = await client.prepare(t);
  await page.route('**/otp/routers', async (route) => {
    const answer = await route.fetch();
    const { routerInfo } = await answer.json();
    const root = { ...routerInfo[0], routerId: '' };
    await route.fulfill({ response: answer, json: { routerInfo: [...routerInfo, root] } });
  });
  await page.goto(`${client.root}#tab=operate`);
  await page.locator('.router').nth(1).waitFor();
  t.deepEqual(await page.locator('.router strong').allTextContents(), ['village', '/']);
});

inBrowser('a login with a wrong password, or without the role, is refused', async (t) => {
  const { page, errors } = await client.open(t, '#tab=operate');
  for (const [name, password, reason] of [
    ['ada', 'hose', /Incorrect password/],
    ['bob', 'horse', /bob lacks the role ROLE_ROUTERS/],
  ] as const) {
    await page.getByLabel('User name').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').filter({ hasText: reason }).waitFor();
    t.is(await page.getByText('Logged in as').count(), 0);
    // What was typed stays, to be corrected.
    t.is(await page.getByLabel('User name').inputValue(), name);
  }
  await logIn(page);
  t.is(await page.getByRole('alert').count(), 0);
  t.deepEqual(errors, []);
});

inBrowser('a graph that is sent can be shown without loading the page again', async (t) => {
  const { page, errors } = await client.open(t, '#tab=operate');
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill('horse');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Logged in as ada').waitFor();
  await page.getByLabel('Router ID').fill('other');
  await page.getByLabel('Graph file').setInputFiles(client.town.file);
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('The server has loaded it.').waitFor();
  t.teardown(() => client.app.deps.registry.evict('other'));
  t.is(await page.locator('.router').count(), 2);
  await page.getByLabel('Area', { exact: true }).selectOption('other');
  await page.locator('.maplibregl-canvas').waitFor();
  t.true(page.url().includes('router=other'), page.url());
  t.deepEqual(errors, []);
  // Somebody else removes it.
  await client.app.deps.registry.evict('other');
  const { from, to } = client.ends();
  await page.goto(`${client.root}#router=other&from=${from}&to=${to}`);
  await page.locator('.no-trip').getByText('This server no longer has this area.').waitFor();
});

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill('horse');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Logged in as ada').waitFor();
}

inBrowser('inputs that are sent are built and listed', async (t) => {
  const { page, errors } = await client.open(t, '#tab=operate');
  await logIn(page);
  await page.getByLabel('Router ID').fill('não');
  t.deepEqual(
    await page.getByLabel('Router ID').evaluate((field: any) => [field.checkValidity(), field.title]),
    [false, 'Letters from A to Z, digits, _ and -'],
    'the browser says what an id may have',
  );
  await page.getByLabel('Router ID').fill('sent');
  const buffer = await zip({ 'feed.zip': await smallFeedZip() });
  await page.getByLabel('Graph file').setInputFiles({ name: 'INPUTS.ZIP', mimeType: 'application/zip', buffer });
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('The server has loaded it.').waitFor();
  t.teardown(() => client.app.deps.registry.evict('sent'));
  await page.locator('.router', { hasText: 'sent' }).getByText('2024').waitFor();
  t.deepEqual(errors, []);
});

inBrowser('the report of a build is shown, and a router is loaded again, for a user alone', async (t) => {
  const folder = path.join(directory, 'graphs/built');
  await mkdir(path.join(folder, 'report'), { recursive: true });
  await copyFile(client.town.file, path.join(folder, 'Graph.obj'));
  await writeFile(path.join(folder, 'report/report.json'), JSON.stringify(client.town.report));
  const headers = { Authorization: `Basic ${Buffer.from('ada:horse').toString('base64')}` };
  t.is((await client.app.request('/routers/built', { method: 'PUT', headers })).status, 201);
  t.teardown(() => client.app.deps.registry.evict('built'));
  const { page, errors } = await client.open(t, '#tab=operate');
  const card = page.locator('.router', { hasText: 'built' });
  await card.locator('.router-head').click();
  await card.getByText('need an account').waitFor();
  await logIn(page);
  await card
    .locator('.steps tr')
    .nth(client.town.report.steps.length - 1)
    .waitFor();
  const [, stops] =
    /^([\d,]+)$/.exec(
      (await card
        .locator('dt', { hasText: /^stops$/i })
        .locator('+ dd')
        .textContent()) ?? '',
    ) ?? [];
  t.is(Number(stops?.replace(',', '')), client.graph.info().stops);
  t.is(await card.locator('details.issues').count(), Object.keys(client.town.report.issueCounts).length);
  const reloaded = page.waitForResponse((response) => response.request().method() === 'PUT');
  await card.getByRole('button', { name: 'Reload' }).click();
  t.is((await reloaded).status(), 201);
  await card.getByText('Loaded again at').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await card.getByRole('button', { name: 'Reload' }).click();
  await card.getByRole('alert').waitFor();
  t.deepEqual(errors, []);
});

for (const [name, screen] of Object.entries({ wide: WIDE, phone: PHONE })) {
  inBrowser(`Operate has no accessibility fault: ${name}`, async (t) => {
    const { page, errors } = await client.open(t, '#tab=operate', { screen, map: ON_PICTURES });
    await page.locator('.router-head').first().click();
    await page.getByText('No updaters are configured.').waitFor();
    t.deepEqual(await accessibilityProblems(page, `operate-${name}`), []);
    t.deepEqual(errors, []);
  });
}

inBrowser('jobs are shown with their progress, and a user ends and resumes them', async (t) => {
  const queue = client.app.deps.jobs?.queue;
  if (queue === undefined) return t.fail();
  const origins = placesOver(client.town, 60);
  const made = await jobOver(client.town, { kind: 'matrix', name: 'all to all', origins, destinations: origins });
  await queue.submit({ ...made, job: { ...made.job, router: 'village', graph: 'f'.repeat(64) } });
  const { page, errors } = await client.open(t, '#tab=operate');
  await page.locator('.router-head').first().click();
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill('horse');
  await page.getByRole('button', { name: 'Log in' }).click();
  const job = page.locator('.updaters li', { hasText: 'all to all' });
  await job.getByText('failed').waitFor();
  t.regex((await job.textContent()) ?? '', /0 of 3,600 origins/);
  const resumed = page.waitForResponse((response) => response.url().endsWith('/resume'));
  await job.getByRole('button', { name: 'Resume' }).click();
  t.is((await resumed).status(), 200);
  t.deepEqual(errors, []);
});

inBrowser('answers that take longer than the time between two requests are shown', async (t) => {
  const { page } = await client.prepare(t);
  const slowly = (address: string, ms: number) =>
    page.route(address, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      await route.continue().catch(() => {});
    });
  await slowly('**/metrics', 2500);
  await slowly('**/updaters/status', 10_500);
  await page.goto(`${client.root}#tab=operate`);
  await page.locator('.router-head').first().click();
  await page.locator('.numbers dd').first().filter({ hasText: /\d/ }).waitFor();
  await page.getByText('No updaters are configured.').waitFor();
  t.pass();
});
