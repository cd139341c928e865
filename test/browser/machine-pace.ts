/** How fast the machine is at present, so that limits of time hold on slow and on busy ones too. */

import type { Browser } from 'playwright-core';

/** Milliseconds of the work on the machine that the limits are for, when it does nothing else. */
const REFERENCE_MS = 100;

/** Sorts as many numbers in each of two threads, as a page and its server run beside each other; returns the time. */
const WORK = `(async () => {
  const work = () => {
    onmessage = () => {
      const numbers = new Float64Array(500_000);
      for (let i = 0, last = 1; i < numbers.length; i += 1) numbers[i] = last = (last * 48271) % 2147483647;
      numbers.sort();
      postMessage('done');
    };
    postMessage('ready');
  };
  const source = URL.createObjectURL(new Blob(['(' + work + ')()']));
  const threads = [new Worker(source), new Worker(source)];
  const said = () => Promise.all(threads.map((one) => new Promise((resolve) => { one.onmessage = resolve; })));
  await said();
  const start = performance.now();
  const done = said();
  for (const one of threads) one.postMessage('go');
  await done;
  for (const one of threads) one.terminate();
  return performance.now() - start;
})()`;

/** As many times slower than the machine that the limits are for; 1 for one that is as fast or faster. */
export async function slowness(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  const taken = (await page.evaluate(WORK)) as number;
  await page.close();
  return Math.max(1, taken / REFERENCE_MS);
}
