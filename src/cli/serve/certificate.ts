/** The certificate of HTTPS and its key. */

import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ServerConfig } from '../../config/server-settings.js';
import { CommandFailure, EXIT } from '../failure.js';
import { readNamedText } from '../named-file.js';

/** Reads both, and tries them before a port is open; undefined without HTTPS. */
export async function readCertificate(config: ServerConfig): Promise<{ cert: string; key: string } | undefined> {
  requirePair(config);
  const { tlsCertificate, tlsKey } = config;
  if (tlsCertificate === undefined || tlsKey === undefined) return undefined;
  const [cert, key] = await Promise.all([readNamedText(tlsCertificate), readNamedText(tlsKey)]);
  // A secure context accepts an empty text.
  tryOut(() => new X509Certificate(cert), `tlsCertificate: ${tlsCertificate}`);
  if (/ENCRYPTED/.test(key)) {
    throw new CommandFailure(`tlsKey: ${tlsKey} cannot be used: it is encrypted with a password`, EXIT.usage);
  }
  tryOut(() => createSecureContext({ cert, key }), `tlsKey: ${tlsKey}`);
  return { cert, key };
}

/** A certificate without its key would leave the server without HTTPS, and the passwords of its users unencrypted. */
function requirePair({ tlsCertificate, tlsKey }: ServerConfig): void {
  if ((tlsCertificate === undefined) === (tlsKey === undefined)) return;
  const [given, missing] = tlsKey === undefined ? ['tlsCertificate', 'tlsKey'] : ['tlsKey', 'tlsCertificate'];
  throw new CommandFailure(`${given}: HTTPS also needs ${missing}`, EXIT.usage);
}

function tryOut(use: () => unknown, name: string): void {
  try {
    use();
  } catch (error) {
    // OpenSSL begins with numbers, and the part of it that failed.
    const reason = (error as Error).message.replace(/^error:[0-9A-F]+:.*::/, '');
    throw new CommandFailure(`${name} cannot be used: ${reason}`, EXIT.usage);
  }
}
