/** Addresses and networks, as settings and requests write them. */

import ipaddr from 'ipaddr.js';

/** Addresses that begin with the same bits. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

/**
 * Reads an address such as `192.0.2.1`, or a network such as `10.0.0.0/8`; undefined for other texts. Of IPv4 addresses,
 * only those of four numbers count: others, such as `10.1`, may be meant as the beginning of one.
 */
export function parseNetwork(text: string): Network | undefined {
  if (isAddress(text)) return [ipaddr.parse(text), text.includes(':') ? 128 : 32];
  const isNetwork = ipaddr.IPv6.isValidCIDR(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
  return isNetwork ? ipaddr.parseCIDR(text) : undefined;
}

/** Whether a text is an address, in the form in which requests name one. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
}

/**
 * Whether one of the networks contains an address; false for other texts. An IPv4 address written as IPv6 is the IPv4
 * address.
 */
export function contains(networks: readonly Network[], text: string): boolean {
  if (!isAddress(text)) return false;
  const address = ipaddr.process(text);
  return networks.some(([network, length]) => network.kind() === address.kind() && address.match(network, length));
}
