/** Which addresses a feed may lead to, and how addresses are shown. */

import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { contains, isAddress, type Network, parseNetwork } from '../config/networks.js';
import { HOST_FORM } from '../config/text-forms.js';
import { quoted } from '../quoted.js';

/** An address that the rule does not allow. */
export class ForbiddenAddress extends Error {}

/** Whether a location is fetched over HTTP; any other one is a file. */
export function isWebAddress(location: string): boolean {
  return /^https?:/i.test(location);
}

/**
 * A location without its secret parts: user, password, query and fragment are left out. Answers and the log show
 * addresses only in this form.
 */
export function shownLocation(location: string): string {
  if (!/^(https?|wss?):/i.test(location)) return location;
  if (!URL.canParse(location)) return 'an address that is not valid';
  const { protocol, host, pathname, search } = new URL(location);
  return `${protocol}//${host}${pathname}${search === '' ? '' : '?…'}`;
}

/**
 * Where redirects, documents of feeds and uploaded configurations may lead: to public addresses by HTTP, and to hosts
 * that the operator names. Addresses in the operator's own configuration are not checked.
 */
export class AddressRule {
  readonly #names = new Set<string>();
  readonly #suffixes: string[] = [];
  readonly #networks: Network[] = [];

  /**
   * `hosts` are names (`feeds.example`), names with a wildcard in front (`*.feeds.example`), addresses or networks
   * (`10.1.0.0/16`). Throws an `Error` that names an entry of another form.
   */
  constructor(hosts: readonly string[] = []) {
    for (const host of hosts.map((name) => name.toLowerCase())) {
      if (!HOST_FORM.fits(host)) throw new Error(`feedHosts: ${quoted(host)} is not ${HOST_FORM.expected}`);
      const network = parseNetwork(host);
      if (network !== undefined) this.#networks.push(network);
      else if (host.startsWith('*.')) this.#suffixes.push(host.slice(1));
      else this.#names.add(host);
    }
  }

  /** Throws `ForbiddenAddress` unless `url` may be read; `lookup` checks the addresses of a host name. */
  check(url: URL): void {
    if (!isWebAddress(url.href)) throw new ForbiddenAddress('only http and https addresses are read');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isAddress(host) && !this.#permits(host)) throw forbidden(url.hostname);
  }

  /** Whether the operator allows a host by its name, whatever its address. */
  allowsName(host: string): boolean {
    const name = host.toLowerCase();
    return this.#names.has(name) || this.#suffixes.some((suffix) => name.endsWith(suffix));
  }

  /** Resolves a name to addresses that may be used; connections use the same addresses. */
  readonly lookup: LookupFunction = (host, options, done) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const permitted = addresses.filter(({ address }) => this.allowsName(host) || this.#permits(address));
      const first = permitted[0];
      if (first === undefined) return done(forbidden(host), '', 0);
      if (options.all) done(null, permitted);
      else done(null, first.address, first.family);
    });
  };

  #permits(text: string): boolean {
    return isPublic(ipaddr.process(text)) || contains(this.#networks, text);
  }
}

/** In IPv6, only 2000::/3 is assigned for public use (RFC 4291, section 2.4 and the IANA registry). */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(PUBLIC_IPV6);
}

function forbidden(host: string): ForbiddenAddress {
  return new ForbiddenAddress(
    `${host} is not a public address, and the setting feedHosts does not allow it for redirects and discovered addresses`,
  );
}
