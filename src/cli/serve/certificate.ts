/** The certificate of HTTPS and its key. */

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ConfigError, type ConfigPlace } from '../../config/diagnostic.js';
import type { FoundSettings } from '../../config/server-config.js';

/** Texts of PEM files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Reads both, and tries them before a port is open; undefined without HTTPS. Throws a `ConfigError`. */
export async function readCertificate({ config, placeOf }: FoundSettings): Promise<Certificate | undefined> {
  const { tlsCertificate, tlsKey } = config;
  const places = { cert: placeOf('tlsCertificate'), key: placeOf('tlsKey') };
  // A certificate without its key would leave the server without HTTPS, and the passwords of its users unencrypted.
  if (tlsKey === undefined && tlsCertificate !== undefined)
    throw new ConfigError(places.cert, 'HTTPS also needs tlsKey');
  if (tlsCertificate === undefined && tlsKey !== undefined) {
    throw new ConfigError(places.key, 'HTTPS also needs tlsCertificate');
  }
  if (tlsCertificate === undefined || tlsKey === undefined) return undefined;
  const [cert, key] = await Promise.all([text(tlsCertificate, places.cert), text(tlsKey, places.key)]);
  // A secure context accepts an empty text.
  tryOut(() => new X509Certificate(cert), tlsCertificate, places.cert);
  if (/ENCRYPTED/.test(key)) {
    throw new ConfigError(places.key, `${tlsKey} cannot be used: it is encrypted with a password`);
  }
  tryOut(() => createSecureContext({ cert, key }), tlsKey, places.key);
  return { cert, key };
}

function text(file: string, place: ConfigPlace): Promise<string> {
  return readFile(file, 'utf8').catch((error) => {
    throw new ConfigError(place, `${file} cannot be read: ${error.message}`);
  });
}

function tryOut(use: () => unknown, file: string, place: ConfigPlace): void {
  try {
    use();
  } catch (error) {
    // OpenSSL begins with numbers, and the part of it that failed.
    const reason = (error as Error).message.replace(/^error:[0-9A-F]+:.*::/, '');
    throw new ConfigError(place, `${file} cannot be used: ${reason}`);
  }
}
