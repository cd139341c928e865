/** The certificate of HTTPS and its key. */

import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { ServerConfig } from '../../config/server-settings.js';
import { CommandFailure, EXIT } from '../failure.js';
import { readNamedText } from '../named-file.js';

/** Reads both, and tries them before a port is open; undefined without HTTPS. */
export async function readCertificate({ tlsCertificate, tlsKey }: ServerConfig) {
  if (tlsCertificate === undefined || tlsKey === undefined) return undefined;
  const [cert, key] = await Promise.all([readNamedText(tlsCertificate), readNamedText(tlsKey)]);
  tryOut({ cert }, `tlsCertificate: ${tlsCertificate}`);
  if (/ENCRYPTED/.test(key)) {
    throw new CommandFailure(`tlsKey: ${tlsKey} cannot be used: it is encrypted with a password`, EXIT.usage);
  }
  tryOut({ key }, `tlsKey: ${tlsKey}`);
  tryOut({ cert, key }, `tlsKey: ${tlsKey}`);
  return { cert, key };
}

function tryOut(options: SecureContextOptions, name: string): void {
  try {
    createSecureContext(options);
  } catch (error) {
    // OpenSSL begins with numbers, and the part of it that failed.
    const reason = (error as Error).message.replace(/^error:[0-9A-F]+:.*::/, '');
    throw new CommandFailure(`${name} cannot be used: ${reason}`, EXIT.usage);
  }
}
