/**
 * Where a request really comes from, and whether it was encrypted on the way: forwarded headers count only from trusted
 * proxies.
 */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { elementsOf } from '../comma-list.js';
import { contains, isAddress, type Network, parseNetwork } from '../config/networks.js';
import { NETWORK_FORM } from '../config/text-forms.js';
import { quoted } from '../quoted.js';

/** The known facts about a request's origin. */
export interface Origin {
  readonly address: string;
  /** The key of rate limits: an IPv4 address, or the /64 network of an IPv6 client. */
  readonly client: string;
  /** Whether credentials may be sent: TLS up to here or to a trusted proxy, or a client on this machine. */
  readonly confidential: boolean;
  /** The client speaks HTTPS, here or to a trusted proxy. */
  readonly https: boolean;
}

/** Trusts the configured proxies only. */
export class OriginReader {
  readonly #trusted: readonly Network[];
  readonly #loopback = networks(['127.0.0.0/8', '::1']);
  /** Origins of connections whose requests were not forwarded; these do not change. */
  readonly #direct = new WeakMap<Socket, Origin>();

  /** Addresses or networks such as `10.0.0.0/8`; throws for anything else. */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = networks(trustedProxies);
  }

  /** Reads the socket and, behind a trusted proxy, `X-Forwarded-For` and `X-Forwarded-Proto`. */
  read(request: IncomingMessage): Origin {
    const { headers, socket } = request;
    const forwarded = headers['x-forwarded-for'] ?? headers['x-forwarded-proto'] ?? headers.forwarded;
    if (forwarded !== undefined) return this.#read(request);
    const known = this.#direct.get(socket) ?? this.#read(request);
    this.#direct.set(socket, known);
    return known;
  }

  #read(request: IncomingMessage): Origin {
    const peer = plainAddress(request.socket.remoteAddress ?? '');
    const encrypted = (request.socket as TLSSocket).encrypted === true;
    const forwarded = listHeader(request.headers['x-forwarded-for']);
    if (contains(this.#trusted, peer)) {
      const https = encrypted || listHeader(request.headers['x-forwarded-proto']).at(-1)?.toLowerCase() === 'https';
      const address = this.#nearestStranger(forwarded) ?? peer;
      return { address, client: clientOf(address), confidential: https, https };
    }
    const proxied = forwarded.length > 0 || request.headers.forwarded !== undefined;
    const local = contains(this.#loopback, peer) && !proxied;
    return { address: peer, client: clientOf(peer), confidential: encrypted || local, https: encrypted };
  }

  /**
   * The last address of the chain that is not one of our proxies; addresses before it may be forged. A name that is not
   * an address ends the chain: the origin is then the proxy that added it.
   */
  #nearestStranger(forwarded: readonly string[]): string | undefined {
    let nearest: string | undefined;
    for (const text of forwarded.toReversed()) {
      const address = plainAddress(withoutPort(text));
      if (!isAddress(address)) return nearest;
      nearest = address;
      if (!contains(this.#trusted, address)) return nearest;
    }
    return nearest;
  }
}

function listHeader(header: string | string[] | undefined): string[] {
  return elementsOf(Array.isArray(header) ? header.join(',') : (header ?? ''));
}

/** Proxies may add the port from which the client sent, `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The part of an address that a client cannot change at will. */
function clientOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
}

function networks(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`${quoted(text)} is not ${NETWORK_FORM.expected}`);
    return network;
  });
}
