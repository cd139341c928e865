/** Certificates for tests of HTTPS. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { isThere } from './needs.js';
import { temporaryDirectory } from './temporary-directory.js';

/** A certificate of localhost, which no client trusts; undefined where there is no `openssl`. */
export async function certificate(t: ExecutionContext): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  const directory = await temporaryDirectory(t);
  const [key, cert] = [path.join(directory, 'key.pem'), path.join(directory, 'cert.pem')];
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  try {
    await promisify(execFile)('openssl', [...options, '-keyout', key, '-out', cert]);
  } catch {
    isThere('openssl', false);
    return undefined;
  }
  return { cert: await readFile(cert), key: await readFile(key) };
}
