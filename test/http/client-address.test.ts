/** The client address that limits use. */

import type { IncomingMessage } from 'node:http';
import test from 'ava';
import { OriginReader } from '../../src/server/client-address.js';
import { startApp } from '../support/test-app.js';

const PROXIES = ['127.0.0.0/8', '10.0.0.0/8', '2001:db8:ffff::/48'];

function read(remoteAddress: string, forwardedFor?: string, proxies = PROXIES) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  return new OriginReader(proxies).read({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
}

for (const [name, chain, address] of [
  ['a plain address', '192.0.2.1', '192.0.2.1'],
  ['an address with a port', '192.0.2.1:4711', '192.0.2.1'],
  ['an IPv6 address', '2001:db8::1', '2001:db8::1'],
  ['an IPv6 address in brackets', '[2001:db8::1]', '2001:db8::1'],
  ['an IPv6 address with a port', '[2001:db8::1]:4711', '2001:db8::1'],
  ['an IPv4 address in IPv6 form', '::ffff:192.0.2.1', '192.0.2.1'],
  ['what a client invented before it', '198.51.100.9, 192.0.2.1:80, 10.0.0.7', '192.0.2.1'],
  ['proxies alone', '10.0.0.8, 10.0.0.7', '10.0.0.8'],
  ['a word', 'unknown', '127.0.0.1'],
  ['a word behind a proxy', 'unknown, 10.0.0.7', '10.0.0.7'],
  ['nonsense', '1.2.3.4.5:6, :::', '127.0.0.1'],
  ['nothing', ' , ', '127.0.0.1'],
] as const) {
  test(`${name} in X-Forwarded-For`, (t) => {
    t.is(read('127.0.0.1', chain).address, address);
  });
}

for (const [proxy, address, other] of [
  ['::ffff:10.0.0.7', '10.0.0.7', '10.0.0.8'],
  ['::ffff:10.0.0.0/104', '10.0.0.7', '11.0.0.7'],
  ['10.0.0.0/8', '::ffff:10.0.0.7', '::ffff:11.0.0.7'],
  ['fe80::1%br-lan.2', 'fe80::1%br-lan.2', 'fe80::2%br-lan.2'],
] as const) {
  test(`${address} is a proxy of ${proxy}, and ${other} is not`, (t) => {
    t.is(read(address, '192.0.2.1', [proxy]).address, '192.0.2.1');
    t.not(read(other, '192.0.2.1', [proxy]).address, '192.0.2.1');
  });
}

for (const [address, client] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
] as const) {
  test(`${address} shares its limits with ${client}`, (t) => {
    t.is(read(address).client, client);
  });
}

test('the address of a closed connection, or of a socket file, is empty and trusted by nobody', (t) => {
  t.deepEqual(read(''), { address: '', client: '', confidential: false, https: false });
});

test('addresses of one IPv6 network, and ports, share one limit', async (t) => {
  const flags = { maxRequestsPerMinute: 3, trustedProxies: ['127.0.0.1'] };
  const app = await startApp(t, [], { flags });
  const status = async (client: string) => (await app.get('/routers', { 'X-Forwarded-For': client })).status;
  for (const clients of [
    ['2001:db8::1', '2001:db8::2', '[2001:db8::3]:80', '2001:db8:0:0:9::'],
    ['192.0.2.1', '192.0.2.1:2', '192.0.2.1:3', '192.0.2.1:4'],
  ]) {
    const statuses = [];
    for (const client of clients) statuses.push(await status(client));
    t.deepEqual(statuses, [200, 200, 200, 429]);
  }
  t.is(await status('2001:db8:0:1::1'), 200);
});
