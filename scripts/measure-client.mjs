// Measures the web client in Chromium: the first view, a plan after a click, and isochrones that follow the mouse.
//
//   node scripts/measure-client.mjs [--graph DIR] [--seconds 5] [--times 7] [--profile FILE]
//
// DIR holds `Graph.obj`; without it the server has the sample town. Each time is printed with the processor time of the
// browser and the server, which other programs on the machine affect less. FILE receives a CPU profile of the page
// while the origin is dragged, for the developer tools of Chromium. Chromium is /usr/bin/chromium unless CHROMIUM names
// another.
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { processorSeconds } from './process-usage.mjs';
import { startServer } from './started-server.mjs';

const FLAGS = ['--no-sandbox', '--enable-unsafe-swiftshader'];
const SCREEN = { viewport: { width: 1280, height: 800 }, locale: 'en-GB', colorScheme: 'light' };
/** Milliseconds between two movements of the mouse: one frame of a screen. */
const MOVE_MS = 16;

const { values: options } = parseArgs({
  options: {
    graph: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    times: { type: 'string', default: '7' },
    profile: { type: 'string' },
  },
});

/** A server of the graph. */
async function serve() {
  const { root, pid, stop } = await startServer({ graph: options.graph });
  return { root, stop, processorMs: () => 1000 * processorSeconds(pid) };
}

/** Processor milliseconds that the processes of the browser have used, by their types. */
async function browserMs(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const byType = {};
  for (const { type, cpuTime } of processInfo) byType[type] = (byType[type] ?? 0) + cpuTime * 1000;
  return byType;
}

const sumOf = (values) => Object.values(values).reduce((sum, value) => sum + value, 0);
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const summary = (values) => `${Math.round(median(values))} ms (at best ${Math.round(Math.min(...values))} ms)`;

/** Opens the client several times with an empty cache, and waits until the form and the map are there. */
async function measureFirstView(browser, session, { root }) {
  const [times, works] = [[], []];
  let bytes = 0;
  for (let i = 0; i < Number(options.times); i++) {
    const context = await browser.newContext(SCREEN);
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    bytes = 0;
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    const before = await browserMs(session);
    const start = performance.now();
    await page.goto(root);
    await page.getByRole('combobox', { name: 'Start' }).waitFor();
    await page.locator('.maplibregl-canvas').waitFor();
    times.push(performance.now() - start);
    works.push(sumOf(await browserMs(session)) - sumOf(before));
    await page.locator('.map[aria-busy="false"]').waitFor();
    await context.close();
  }
  console.log(
    `first view: ${summary(times)}, ${summary(works)} of processor time, ${Math.round(bytes / 1000)} kB with the map`,
  );
}

/** Two places of the graph between which people travel. */
async function ends({ root }) {
  const info = await (await fetch(`${root}otp/routers/default`)).json();
  const { centerLatitude: lat, centerLongitude: lon } = info;
  const at = (north, east) => `${(lat + north).toFixed(5)},${(lon + east).toFixed(5)}`;
  return { from: at(0, 0), to: at(0.012, 0.012) };
}

/** Switches between modes, and waits for the new plan in the panel and on the map. */
async function measurePlan(browser, server) {
  const context = await browser.newContext(SCREEN);
  const page = await context.newPage();
  const { from, to } = await ends(server);
  await page.goto(`${server.root}#from=${from}&to=${to}`);
  await page.locator('.card').first().waitFor();
  for (const hurried of [false, true]) {
    const plans = [];
    for (let i = 0; i < Number(options.times); i++) {
      await page.locator('.map[aria-busy="false"]').waitFor();
      if (hurried) await page.evaluate(switchMode);
      plans.push(await page.evaluate(switchMode));
    }
    const [panel, map] = [plans.map((plan) => plan.panel), plans.map((plan) => plan.map)];
    const when = hurried ? 'a click right after another plan' : 'a click';
    console.log(`plan after ${when}: ${summary(panel)}, on the map ${summary(map)}`);
  }
  await context.close();
}

/** Switches between transit and walking. Resolves with the milliseconds until its cards are in the panel and its lines on the map. */
function switchMode() {
  const label = [...document.querySelectorAll('.segments label')].find(
    (one) => ['Transit', 'Walk'].includes(one.textContent) && !one.querySelector('input').checked,
  );
  const before = document.querySelector('.card');
  const start = performance.now();
  performance.clearMarks('trip-painted');
  label.click();
  return new Promise((done) => {
    let panel;
    const look = () => {
      const card = document.querySelector('.card');
      const isOld = document.querySelector('.results.old') !== null;
      if (card !== null && card !== before && !isOld) panel ??= performance.now() - start;
      const painted = performance.getEntriesByName('trip-painted').at(-1);
      if (panel !== undefined && painted) done({ panel, map: painted.startTime - start });
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Drags the origin in a circle around the middle of the map. */
async function measureDrag(browser, session, server, isProfiled) {
  const context = await browser.newContext(SCREEN);
  const page = await context.newPage();
  const { from } = await ends(server);
  await page.goto(`${server.root}#tab=analyse&origin=${from}`);
  await page.locator('.map-picture:not([hidden])').waitFor();
  await page.locator('.map[aria-busy="false"]').waitFor();
  const box = await page.locator('.pin.origin').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 5, y);
  const profiler = await context.newCDPSession(page);
  if (isProfiled) {
    await profiler.send('Profiler.enable');
    await profiler.send('Profiler.start');
  }
  const painted = () => page.evaluate("performance.getEntriesByName('analysis-painted').length");
  const [pictures, work, served] = [await painted(), await browserMs(session), await server.processorMs()];
  const start = performance.now();
  let elapsed = 0;
  while (elapsed < Number(options.seconds) * 1000) {
    const turn = elapsed / 800;
    await page.mouse.move(x + 60 * Math.cos(turn), y + 60 * Math.sin(turn));
    await sleep(Math.max(0, MOVE_MS - ((performance.now() - start) % MOVE_MS)));
    elapsed = performance.now() - start;
  }
  const count = (await painted()) - pictures;
  const after = await browserMs(session);
  const each = (ms) => `${(ms / count).toFixed(1)} ms`;
  const byType = Object.keys(after).map((type) => `${type} ${each(after[type] - (work[type] ?? 0))}`);
  const browserWork = sumOf(after) - sumOf(work);
  const serverWork = (await server.processorMs()) - served;
  if (isProfiled) {
    const { profile } = await profiler.send('Profiler.stop');
    await writeFile(options.profile, JSON.stringify(profile));
  }
  await page.mouse.up();
  await context.close();
  console.log(`drag: ${((count * 1000) / elapsed).toFixed(1)} pictures a second`);
  console.log(
    `  processor time of each: browser ${each(browserWork)} (${byType.join(', ')}), server ${each(serverWork)}`,
  );
}

const server = await serve();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
try {
  const session = await browser.newBrowserCDPSession();
  console.log(`load of the machine: ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`);
  await measureFirstView(browser, session, server);
  await measurePlan(browser, server);
  await measureDrag(browser, session, server, false);
  if (options.profile !== undefined) await measureDrag(browser, session, server, true);
} finally {
  await browser.close();
  await server.stop();
}
