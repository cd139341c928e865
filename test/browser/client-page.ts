/** The web client over a real server of the sample town, for the tests of its tabs. */

import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { TRANSIT_LAYERS } from '../../src/client/map/transit-layers.js';
import type { RouterConfig } from '../../src/config/router-config.js';
import type { ServerFlags } from '../../src/config/server-config.js';
import type { GraphMaker } from '../../src/registry/graph-source.js';
import type { BuiltGraph } from '../support/built-graph.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { startApp, type TestApp } from '../support/test-app.js';
import { findChromium, LONGEST_WAIT_MS, launch } from './chromium.js';

/** Where pictures of the views are kept if somebody asks for them, because drawing them takes long. */
const PICTURES = 'test-output/views';
const ARE_KEPT = process.env.VIEWS === '1';

/** A working day at nine, in the zone of the town. */
export const MONDAY = new Date('2026-11-23T08:00:00Z');

/** Pixels drawn for each pixel of the page, in each direction, if nobody looks at the picture: few, to be quick. */
const COARSE = 0.25;

/** Free space around the stops of the town on the first view, and further space at the right for the buttons, pixels. */
const MARGIN_PX = 40;
const BUTTONS_PX = 44;

/** Screens that the views are drawn on. */
export const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** A page and what went on in it. */
export interface Visit {
  page: Page;
  /** Errors in the page, and what its policy forbade. */
  errors: string[];
  /** Hosts that the page sent requests to. */
  hosts: Set<string>;
}

/** How a page is opened. */
export interface VisitOptions {
  screen?: { width: number; height: number };
  dark?: boolean;
  locale?: string;
  timezoneId?: string;
  /** Whether the system replaces the colours of pages. */
  forcedColors?: 'active';
  now?: Date;
  /** Lets things move, which takes long where a processor draws them; otherwise as for readers who prefer reduced motion. */
  moving?: boolean;
  /**
   * What the map draws below the overlays of the panels, for tests that look at it or click on it: `transit` alone or all
   * `layers`, with coarse pixels, or `everything`, with every pixel of the screen. Otherwise it draws nothing: it takes
   * longer than the rest of most tests.
   */
  map?: 'transit' | 'layers' | 'everything';
}

/** Options of a file of tests. */
export interface ClientTestParts {
  /** Cleans up anything else when the tests end. */
  close?: () => unknown;
  /** The graph that is served; by default the sample town. */
  build?: () => Promise<BuiltGraph>;
  /** The configuration of the router. */
  config?: (t: Pick<ExecutionContext, 'teardown'>, town: BuiltGraph) => Promise<Partial<RouterConfig>>;
  /** Opens and builds graphs that are sent; by default neither is possible. */
  maker?: () => Promise<GraphMaker>;
  /** What the map draws in all tests. */
  map?: VisitOptions['map'];
}

/** The browser, the server and the town of a file of tests; started before its first test. */
export class ClientTests {
  readonly #executable = findChromium();
  #browser: Browser | undefined;
  #town: BuiltGraph | undefined;
  #app: TestApp | undefined;
  readonly #closers: Array<() => unknown> = [];

  constructor(
    private readonly flags: ServerFlags = {},
    private readonly parts: ClientTestParts = {},
  ) {
    if (parts.close) this.#closers.push(parts.close);
    test.before(() => this.#start());
    test.after.always(() => this.#stop());
  }

  /** Declares a test; it is skipped where there is no browser. */
  get test(): typeof test.serial {
    return (this.#executable === undefined ? test.skip : test.serial) as typeof test.serial;
  }

  get town(): BuiltGraph {
    if (!this.#town) throw new Error('there is no town');
    return this.#town;
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error('the browser has not started');
    return this.#browser;
  }

  get hasStarted(): boolean {
    return this.#app !== undefined;
  }

  get app(): TestApp {
    if (!this.#app) throw new Error('the server has not started');
    return this.#app;
  }

  /** The graph of the town. */
  get graph(): BuiltGraph['graph'] {
    if (!this.#town) throw new Error('there is no town');
    return this.#town.graph;
  }

  /** Address of the page. */
  get root(): string {
    return this.app.base.replace(/otp$/, '');
  }

  /** Two ends of the town as they are in addresses. */
  ends(): { from: string; to: string } {
    const { lowerLeftLatitude: south, upperRightLatitude: north, centerLongitude: lon } = this.town.graph.info();
    const at = (share: number) => `${(south + (north - south) * share).toFixed(5)},${lon.toFixed(5)}`;
    return { from: at(0.2), to: at(0.8) };
  }

  /** Where a position is on the page, while the map of a wide screen shows what it shows at first. */
  async pixelOf(page: Page, { lat, lon }: { lat: number; lon: number }): Promise<{ x: number; y: number }> {
    const box = await page.locator('.map').boundingBox();
    if (!box) throw new Error('there is no map');
    const { transitArea } = this.graph.info();
    if (!transitArea) throw new Error('there is no transit');
    const y = (degrees: number) => -Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360));
    const x = (degrees: number) => (degrees * Math.PI) / 180;
    const [left, right] = [x(transitArea.lowerLeftLongitude), x(transitArea.upperRightLongitude)];
    const [top, bottom] = [y(transitArea.upperRightLatitude), y(transitArea.lowerLeftLatitude)];
    const width = box.width - BUTTONS_PX;
    const scale = Math.min((width - 2 * MARGIN_PX) / (right - left), (box.height - 2 * MARGIN_PX) / (bottom - top));
    return {
      x: box.x + width / 2 + (x(lon) - (left + right) / 2) * scale,
      y: box.y + box.height / 2 + (y(lat) - (top + bottom) / 2) * scale,
    };
  }

  /** Opens the client and waits until it can be used. */
  async open(t: ExecutionContext, hash = '', options: VisitOptions = {}): Promise<Visit> {
    const visit = await this.prepare(t, options);
    await visit.page.goto(`${this.root}${hash}`);
    await visit.page.locator('.maplibregl-canvas').waitFor();
    return visit;
  }

  /** Opens the client with a trip in its address, and waits until it is shown. */
  async openTrip(t: ExecutionContext, hash: string, options: VisitOptions = {}): Promise<Visit & Planned> {
    const visit = await this.prepare(t, options);
    return { ...visit, ...(await planned(visit.page, () => visit.page.goto(`${this.root}${hash}`))) };
  }

  /** A page that is not opened yet. */
  async prepare(
    t: ExecutionContext,
    { screen = WIDE, dark, now = MONDAY, moving, map = this.parts.map, ...rest }: VisitOptions = {},
  ): Promise<Visit> {
    const context = await this.browser.newContext({
      viewport: screen,
      deviceScaleFactor: map === 'everything' ? 1 : COARSE,
      hasTouch: screen.width < 700,
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: moving ? 'no-preference' : 'reduce',
      locale: 'en-GB',
      ...rest,
    });
    t.teardown(() => context.close());
    context.setDefaultTimeout(LONGEST_WAIT_MS);
    const page = await context.newPage();
    const visit: Visit = { page, errors: [], hosts: new Set() };
    page.on('pageerror', (error) => visit.errors.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) visit.errors.push(message.text());
    });
    page.on('request', (request) => {
      if (/^http/.test(request.url())) visit.hosts.add(new URL(request.url()).host);
    });
    if (map !== 'layers' && map !== 'everything') {
      await page.route('**/vectorTiles/style.json*', (route) => answerWithout(route, map === 'transit'));
    }
    await page.clock.setFixedTime(now);
    return visit;
  }

  async #start(): Promise<void> {
    if (this.#executable === undefined) return;
    const { build = buildSampleTown, config, maker } = this.parts;
    this.#town = await build();
    const teardown = (close: () => unknown) => void this.#closers.push(close);
    const served = [{ id: 'village', graph: this.#town.graph, config: await config?.({ teardown }, this.#town) }];
    this.#app = await startApp({ teardown }, served, { flags: this.flags, maker: await maker?.() });
    this.#browser = await launch(this.#executable);
  }

  async #stop(): Promise<void> {
    await this.#browser?.close();
    for (const close of this.#closers) await close();
    await this.#town?.remove();
  }
}

/** Answers with the style of the server, but of its layers only the background, and perhaps those of transit. */
async function answerWithout(route: Route, hasTransit: boolean): Promise<void> {
  const style: any = await fetch(route.request().url())
    .then((answer) => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined);
  const isKept = ({ type, 'source-layer': layer }: any) =>
    type === 'background' || (hasTransit && TRANSIT_LAYERS.has(layer));
  if (style) style.layers = style.layers.filter(isKept);
  // A page that has been closed needs no answer.
  await (style ? route.fulfill({ json: style }) : route.abort()).catch(() => undefined);
}

/** Waits until every map of the page has drawn everything and has stopped moving. */
export async function mapIsDrawn(page: Page): Promise<void> {
  await page.locator('body:has(.map):not(:has(.map:not([aria-busy="false"])))').waitFor();
}

/** A property of the style of an element, as the browser computes it. */
export function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate((found: any, name) => (globalThis as any).getComputedStyle(found)[name], property);
}

/** A search for trips: its parameters, and the plan that it was answered. */
export interface Planned {
  query: URLSearchParams;
  plan: any;
}

/**
 * Does something that makes the page search for trips. Resolves when the page shows the answer to that search, and not
 * that of the one before, in its list and on its map.
 */
export async function planned(page: Page, act: () => Promise<unknown>): Promise<Planned> {
  const [request] = await Promise.all([page.waitForRequest((one) => one.url().includes('/plan?')), act()]);
  const response = await request.response();
  if (response === null) throw new Error('the search was given up');
  const { plan } = await response.json();
  await page.locator('.results:not(.old)').waitFor();
  await mapIsDrawn(page);
  return { query: new URL(request.url()).searchParams, plan };
}

/** What the map draws where only people look at it, on kept pictures. */
export const ON_PICTURES = ARE_KEPT ? 'everything' : undefined;

/** Keeps a picture of the page for people to look at, with VIEWS=1. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await mapIsDrawn(page);
  if (!ARE_KEPT) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}

/** Rules of the checker of accessibility of which the result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Problems that the checker of accessibility does not call minor, in light and in dark colours. Keeps a picture of
 * both if it gets a name.
 */
export async function accessibilityProblems(page: Page, picture?: string): Promise<string[]> {
  if (!(await page.evaluate('globalThis.axe'))) {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  }
  const problems: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
    if (picture && ARE_KEPT) await takePicture(page, `${picture}-${colorScheme}`);
    problems.push(...(await problemsInTheseColours(page, colorScheme === 'dark' ? COLOUR_RULES : undefined)));
  }
  return problems;
}

/** Those found by all rules, or by some of them. */
async function problemsInTheseColours(page: Page, rules?: string[]): Promise<string[]> {
  // Describing what is as it should be takes longer than the checks.
  const options = JSON.stringify({ resultTypes: ['violations'], runOnly: rules });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: Array<{ id: string; impact: string; nodes: Array<{ html: string; failureSummary: string }> }>;
  };
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
}
