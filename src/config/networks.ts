/** Addresses and networks, as settings and requests write them. */

import ipaddr from 'ipaddr.js';

/** Addresses that begin with the same bits. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

/** Bits of an IPv6 address before the IPv4 address that it may stand for. */
const MAPPED_BITS = 96;

/**
 * Reads an address such as `192.0.2.1`, or a network such as `10.0.0.0/8`; undefined for other texts. Of IPv4 addresses,
 * only those of four numbers count: others, such as `10.1`, may be meant as the beginning of one. IPv4 addresses written
 * as IPv6, such as `::ffff:10.0.0.0/104`, are the IPv4 addresses.
 */
export function parseNetwork(text: string): Network | undefined {
  const whole = isAddress(text) ? `${withoutZone(text)}/${text.includes(':') ? 128 : 32}` : text;
  if (!ipaddr.IPv6.isValidCIDR(whole) && !ipaddr.IPv4.isValidCIDRFourPartDecimal(whole)) return undefined;
  const [address, length] = ipaddr.parseCIDR(whole);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && length >= MAPPED_BITS;
  return isMapped ? [address.toIPv4Address(), length - MAPPED_BITS] : [address, length];
}

/** Whether a text is an address, in the form in which requests name one. */
export function isAddress(text: string): boolean {
  return ipaddr.IPv6.isValid(withoutZone(text)) || ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** An address without the network interface that one of IPv6 may name, as in `fe80::1%eth0.100`. */
function withoutZone(text: string): string {
  return text.includes(':') ? text.replace(/%[\w.-]+$/, '') : text;
}

/**
 * Whether one of the networks contains an address; false for other texts. An IPv4 address written as IPv6 is the IPv4
 * address.
 */
export function contains(networks: readonly Network[], text: string): boolean {
  if (!isAddress(text)) return false;
  const address = ipaddr.process(withoutZone(text));
  return networks.some(([network, length]) => network.kind() === address.kind() && address.match(network, length));
}
