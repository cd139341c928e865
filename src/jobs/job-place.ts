/** The place of jobs that an address names. */

import { parseObjectAddress } from '../config/object-address.js';
import { FolderPlace } from './folder-files.js';
import type { JobPlace } from './job-files.js';
import { ObjectPlace } from './object-files.js';

/** A folder, or with `s3://bucket/prefix` a place in an object store, at `endpoint` unless it is Amazon's. */
export function jobPlace(address: string, endpoint?: string): JobPlace {
  const place = parseObjectAddress(address);
  if (place === undefined) return new FolderPlace(address);
  return new ObjectPlace(async () => (await import('../publishing/s3-object-store.js')).openS3(place, endpoint));
}
