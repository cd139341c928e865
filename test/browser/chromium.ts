/** The browser that drives the web client in tests: the system's Chromium. */

import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { isThere } from '../support/needs.js';

/** First the one without windows: it draws the same pages in two thirds of the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Drawing by software on a busy machine keeps pages from answering for seconds. */
export const LONGEST_WAIT_MS = 120_000;

/** Drawn as on a machine without a graphics card, and without anything that would reach for the network. */
const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-swiftshader',
];

/** The browser's path; undefined, with a message, when none is installed. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const candidates = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  const found = candidates.find(isExecutable);
  isThere('chromium', found !== undefined);
  return found;
}

/** Starts it without a window. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
