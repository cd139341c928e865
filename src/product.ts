/** What this program says of itself: its package description. */

import { readFileSync } from 'node:fs';

/** Members of package.json that are shown. */
export interface Product {
  readonly version: string;
  readonly description: string;
  /** SPDX identifier. */
  readonly license: string;
}

/** The package; compiled files are two directories below its description. */
export const PRODUCT: Product = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
