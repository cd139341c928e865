/** Where feeds may lead the server, and what it shows of their addresses. */

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { ServerFlags } from '../../src/config/server-config.js';
import { addonMaker } from '../../src/registry/addon-maker.js';
import { AddressRule, shownLocation } from '../../src/updaters/feed-address.js';
import { RemoteFile } from '../../src/updaters/remote-file.js';
import { FakeGraph } from '../support/fake-graph.js';
import { smallFeedZip } from '../support/small-feed.js';
import { startSource } from '../support/source-server.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { zip } from '../support/zip.js';

const STATIONS = JSON.stringify({
  data: { stations: [{ station_id: 's1', name: 'Dock', lat: 41.15, lon: -8.6, capacity: 9 }] },
});

const listing = (url: string) => JSON.stringify({ data: { en: { feeds: [{ name: 'station_information', url }] } } });

/** A rental system, and its status after the first run. */
async function rental(t: ExecutionContext, updater: Record<string, unknown>, flags: ServerFlags = {}, file?: string) {
  const config = { updaters: [{ type: 'bike-rental', sourceType: 'gbfs', frequencySec: 0, ...updater }] as never };
  const router = { id: 'r', graph: new FakeGraph(), config, ...(file === undefined ? {} : { file }) };
  const app = await startApp(t, [router], { flags });
  t.teardown(() => app.deps.registry.evictAll());
  const status = async () => (await app.json('/routers/r/updaters/status')).updaters[0];
  await until(async () => (await status()).lastSuccess !== undefined || (await status()).lastError !== undefined);
  const told = await Promise.all(
    ['/routers/r/updaters', '/routers/r/updaters/status', '/routers/r/bike_rental'].map(async (target) =>
      (await app.get(target)).text(),
    ),
  );
  return { status: await status(), told: told.join('\n') };
}

const FORBIDDEN = ['file:///etc/passwd', '/etc/passwd', 'stations.json', 'http://169.254.169.254/x', 'http://[::1]/x'];

for (const url of FORBIDDEN) {
  test(`a discovery document cannot make the server read ${url}`, async (t) => {
    const source = await startSource(t, { '/gbfs.json': listing(url) });
    const { status, told } = await rental(t, { url: `${source.url}/gbfs.json` });
    t.regex(status.lastError.message, /only http and https addresses are read|is not a public address/);
    t.notRegex(told, /root:|Dock/);
  });
}

test('neither a listed address nor a redirect leads to a private host, unless the operator allows it', async (t) => {
  const inner = await startSource(t, { '/information': STATIONS });
  const { port } = new URL(inner.url);
  const byName = `http://localhost:${port}/information`;
  for (const target of [`${inner.url}/information`, byName]) {
    const outer = await startSource(t, {
      '/gbfs.json': listing(target),
      '/moved/gbfs.json': listing('/moved/information'),
      '/redirect': (_, response) => response.writeHead(302, { Location: target }).end(),
    });
    const listed = await rental(t, { url: `${outer.url}/gbfs.json` });
    t.regex(listed.status.lastError.message, /is not a public address, and the setting feedHosts does not allow it/);
    const redirected = await rental(t, { url: `${outer.url}/redirect`, sourceType: 'jcdecaux' });
    t.regex(redirected.status.lastError.message, /is not a public address/);
    t.is(inner.requests.length, 0);
  }
  const outer = await startSource(t, { '/gbfs.json': listing(byName) });
  const allowed = await rental(t, { url: `${outer.url}/gbfs.json` }, { feedHosts: ['localhost'] });
  t.regex(allowed.told, /Dock/);
});

test('the rule: public addresses, and what the operator names', (t) => {
  const check = (rule: AddressRule, url: string) => rule.check(new URL(url));
  const none = new AddressRule();
  for (const url of ['http://8.8.8.8/', 'https://[2a00:1450::1]/', 'https://feeds.example/x']) {
    t.notThrows(() => check(none, url), url);
  }
  const refused = ['10.0.0.1', '127.1', '0x7f000001', '2130706433', '100.64.0.1', '0.0.0.0', '224.0.0.1'].concat([
    '[::1]',
    '[::ffff:10.0.0.1]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[::7f00:1]',
  ]);
  for (const host of refused) t.throws(() => check(none, `http://${host}/`), undefined, host);
  t.throws(() => check(none, 'ftp://8.8.8.8/'));
  t.notThrows(() => check(new AddressRule(['10.0.0.0/8']), 'http://10.2.3.4/'));
  t.notThrows(() => check(new AddressRule(['fd00::1']), 'http://[fd00::1]/'));
  t.throws(() => check(new AddressRule(['10.0.0.0/8']), 'http://11.0.0.0.1/'));
  t.true(new AddressRule(['*.feeds.example']).allowsName('a.FEEDS.example'));
  t.false(new AddressRule(['*.feeds.example']).allowsName('feeds.example.org'));
  t.throws(() => new AddressRule(['http://a']), { message: /feedHosts: "http:\/\/a" is not/ });
});

test('keys, users and passwords are sent, and shown nowhere', async (t) => {
  const source = await startSource(t, { '/gbfs.json': listing('http://127.0.0.1:9/never') });
  const other = await startSource(t, {
    '/x': (_, response) => response.writeHead(302, { Location: `${source.url}/gbfs.json` }).end(),
  });
  const secret = new URL(`${source.url}/gbfs.json?key=SECRET`);
  secret.username = 'someone';
  secret.password = 'SECRET';
  const headers = { 'X-Api-Key': 'SECRET' };
  const { told } = await rental(t, { url: secret.href, headers });
  t.false(told.includes('SECRET'), told);
  t.false(told.includes('someone'), told);
  t.is(source.requests[0]?.headers['x-api-key'], 'SECRET');
  t.is(source.requests[0]?.headers.authorization, `Basic ${btoa('someone:SECRET')}`);
  await rental(
    t,
    { url: `${other.url}/x`, sourceType: 'jcdecaux', headers },
    { feedHosts: ['127.0.0.1/32', 'localhost'] },
  );
  t.is(other.requests[0]?.headers['x-api-key'], 'SECRET');
  t.is(source.requests.at(-1)?.headers['x-api-key'], undefined);
  t.is(shownLocation('wss://u:p@feeds.example/a?k=1#f'), 'wss://feeds.example/a?…');
});

test('an error does not quote the document', async (t) => {
  const source = await startSource(t, { '/gbfs.json': 'root:x:0:0 is a secret' });
  const { status, told } = await rental(t, { url: `${source.url}/gbfs.json` });
  t.regex(status.lastError.message, /gbfs\.json: not valid JSON$/);
  t.notRegex(told, /root/);
});

test('only regular files are read, and no more of them than is allowed', async (t) => {
  const directory = await temporaryDirectory(t);
  const fifo = path.join(directory, 'fifo');
  execFileSync('mkfifo', [fifo]);
  await writeFile(path.join(directory, 'long'), Buffer.alloc(6000));
  const rule = new AddressRule();
  const file = (location: string) =>
    new RemoteFile({ location, directory, rule, chosenBy: 'operator', maxBytes: 5000 }).fetch();
  await t.throwsAsync(file('/dev/zero'), { message: /not a regular file/ });
  await t.throwsAsync(file('fifo'), { message: /not a regular file/ });
  await t.throwsAsync(file('long'), { message: /larger than 5000 bytes/ });
});

test('a configuration that was uploaded starts no updaters unless the operator allows it', async (t) => {
  const source = await startSource(t, { '/gbfs.json': listing('http://127.0.0.1:9/never') });
  const updaters = [{ type: 'bike-rental', sourceType: 'gbfs', url: `${source.url}/gbfs.json`, frequencySec: 0 }];
  const inputs = await zip({
    'feed.gtfs.zip': await smallFeedZip(),
    'router-config.json': JSON.stringify({ updaters, requestLogFile: '/tmp/not-written' }),
  });
  const upload = async (flags: ServerFlags) => {
    const graphs = await temporaryDirectory(t);
    const app = await startApp(t, [], { maker: await addonMaker(), flags: { graphs, insecure: true, ...flags } });
    t.teardown(() => app.deps.registry.evictAll());
    const headers = { 'Content-Type': 'application/zip' };
    const { status } = await app.request('/routers/r', { method: 'POST', headers, body: new Uint8Array(inputs) });
    t.is(status, 201);
    const graph = app.deps.registry.sourceOf('r')?.file as string;
    return { app, graph };
  };
  const { app, graph } = await upload({});
  t.is((await app.get('/routers/r/updaters')).status, 404);
  // Saved for later and loaded from the router's directory, it is still not the operator's.
  const { createReadStream } = await import('node:fs');
  await app.deps.uploads.save({ stream: createReadStream(graph), bytes: undefined }, 's', (work) => work());
  t.is((await app.request('/routers/s', { method: 'PUT' })).status, 201);
  t.is((await app.get('/routers/s/updaters')).status, 404);
  t.is(source.requests.length, 0);

  const refused = await upload({ uploadedUpdaters: true });
  const status = async () => (await refused.app.json('/routers/r/updaters/status')).updaters[0];
  await until(async () => (await status()).lastError !== undefined);
  t.regex((await status()).lastError.message, /is not a public address/);
  t.is(source.requests.length, 0);

  const allowed = await upload({ uploadedUpdaters: true, feedHosts: ['127.0.0.0/8'] });
  await until(() => source.requests.length > 0);
  t.is((await allowed.app.get('/routers/r/updaters')).status, 200);
});

test('numbers that stand for an address, but are not written as one, are refused as hosts', (t) => {
  for (const host of ['10.1', '0x7f000001', '2130706433', '10.0/8', '010.0.0.1/8', 'a b', '10.0.0.0/33']) {
    t.throws(() => new AddressRule([host]), { message: /^feedHosts: ".*" is not a host name/ }, host);
  }
  const rule = new AddressRule(['10.1.0.0/16', '::1', 'feeds.example']);
  for (const address of ['http://10.1.2.3/', 'http://[::ffff:10.1.2.3]/', 'http://[::1]/']) {
    t.notThrows(() => rule.check(new URL(address)), address);
  }
  for (const address of ['http://10.2.0.1/', 'http://[::2]/', 'http://[::ffff:10.2.0.1]/', 'http://0x7f000001/']) {
    t.throws(() => rule.check(new URL(address)), { message: /is not a public address/ }, address);
  }
});
