/** Addresses of places in an object store: `s3://bucket/prefix`. */

import { ConfigError } from './diagnostic.js';

/** A place in an object store. */
export interface ObjectAddress {
  readonly bucket: string;
  /** First part of all keys, without slashes at its ends; may be empty. */
  readonly prefix: string;
}

const SCHEME = 's3://';

/** Whether a text names a place in an object store, and not a directory. */
export function isObjectAddress(text: string): boolean {
  return text.startsWith(SCHEME);
}

/** Throws `ConfigError` for a text that is not an address. */
export function parseObjectAddress(text: string): ObjectAddress {
  const [, bucket, prefix = ''] = /^s3:\/\/([\w.-]+)(?:\/([^?#\s]*))?$/.exec(text) ?? [];
  if (bucket === undefined) {
    throw new ConfigError({ file: text, line: 1, column: 1, key: 'graphs' }, 'expected s3://bucket/prefix');
  }
  return { bucket, prefix: prefix.replace(/^\/+|\/+$/g, '') };
}

/** The address as a text. */
export function formatObjectAddress({ bucket, prefix }: ObjectAddress): string {
  return prefix === '' ? `${SCHEME}${bucket}` : `${SCHEME}${bucket}/${prefix}`;
}
