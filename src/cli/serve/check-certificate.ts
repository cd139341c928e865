import type { ServerConfig } from '../../config/server-settings.js';
import { CommandFailure, EXIT } from '../failure.js';

/** A certificate without its key would leave the server without HTTPS, and the passwords of its users unencrypted. */
export function checkCertificate({ tlsCertificate, tlsKey }: ServerConfig): void {
  if ((tlsCertificate === undefined) === (tlsKey === undefined)) return;
  const [given, missing] = tlsKey === undefined ? ['tlsCertificate', 'tlsKey'] : ['tlsKey', 'tlsCertificate'];
  throw new CommandFailure(`${given}: HTTPS also needs ${missing}`, EXIT.usage);
}
