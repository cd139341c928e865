/** Facts about this program: its package description, and the version of the interface that it supports. */

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

/** The program's name for people. */
export const PRODUCT_NAME = 'Trestle';

/** Version of the OpenTripPlanner interface that is supported; clients branch on its first two numbers. */
export const INTERFACE_VERSION = '1.5.0';
