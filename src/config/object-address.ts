/** Addresses of places in an object store: `s3://bucket/prefix`. */

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

/** `undefined` for a text that is not an address. */
export function parseObjectAddress(text: string): ObjectAddress | undefined {
  const [, bucket, prefix = ''] = /^s3:\/\/([\w.-]+)(?:\/([^?#\s]*))?$/.exec(text) ?? [];
  if (bucket === undefined) return undefined;
  return { bucket, prefix: prefix.replace(/^\/+|\/+$/g, '') };
}

/** The address as a text. */
export function formatObjectAddress({ bucket, prefix }: ObjectAddress): string {
  return prefix === '' ? `${SCHEME}${bucket}` : `${SCHEME}${bucket}/${prefix}`;
}
