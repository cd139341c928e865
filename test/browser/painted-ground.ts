/** The ground that an analysis paints on the map. */

import type { Page } from 'playwright-core';
import { LONGEST_WAIT_MS } from './chromium.js';

/** Ground that is painted on the map. */
export const ground = (page: Page) => page.locator('.map-picture:not([hidden])');

/** Counts from now on how often the ground is painted, and how often it goes out of sight. */
export async function watchGround(page: Page): Promise<void> {
  await page.evaluate(`globalThis.painted = 0; globalThis.hidden = 0; new MutationObserver((changes) => {
    globalThis.painted += changes.filter(({ attributeName }) => attributeName === 'width').length;
    if (document.querySelector('.map-picture').hidden) globalThis.hidden += 1;
    globalThis.afterPainting?.();
  }).observe(document.querySelector('.map-picture'), { attributes: true })`);
}

/** How often the ground has been painted since `watchGround`. */
export const painted = (page: Page) => page.evaluate('globalThis.painted') as Promise<number>;

/** How often the ground has gone out of sight since `watchGround`. */
export const hiddenTimes = (page: Page) => page.evaluate('globalThis.hidden') as Promise<number>;

/** Waits until the ground has been painted this often. */
export async function paintedTimes(page: Page, times: number): Promise<void> {
  await page.evaluate(`new Promise((done, fail) => {
    globalThis.afterPainting = () => globalThis.painted >= ${times} && done();
    globalThis.afterPainting();
    setTimeout(fail, ${LONGEST_WAIT_MS}, new Error('the ground is not painted'));
  })`);
}
