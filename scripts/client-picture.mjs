// A picture of the web client with a trip, for docs/pictures.
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const FLAGS = ['--no-sandbox', '--enable-unsafe-swiftshader'];
const TRIP =
  '#from=Brunnenhof::48.0056,15.0306&to=Schlosssteig::48.0304,15.0714&when=depart&date=2026-11-23&time=08:00';

/** Draws the client of a server of the sample town; `root` is the address of its page. Needs Chromium. */
export async function drawClient(root, file) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      colorScheme: 'light',
    });
    await page.goto(root + TRIP);
    await page.locator('.card').first().waitFor();
    await page.locator('.map[aria-busy="true"]').waitFor();
    await page.locator('.map[aria-busy="false"]').waitFor();
    const picture = sharp(await page.screenshot());
    await picture.png({ palette: true, compressionLevel: 9, effort: 10 }).toFile(file);
  } finally {
    await browser.close();
  }
}
