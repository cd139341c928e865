/** Files outside the interface: the web client at the root, the operator's files under /local. */

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import type { ServerFlags } from '../../src/config/server-config.js';
import { rawStatus } from '../support/raw-status.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';

/** A server with a folder of files beside a file that must stay hidden. */
async function serveFiles(t: ExecutionContext, flags: ServerFlags = {}): Promise<string> {
  const base = await temporaryDirectory(t);
  const files = path.join(base, 'files');
  await mkdir(path.join(files, 'sub'), { recursive: true });
  await writeFile(path.join(base, 'secret.txt'), 'secret');
  await writeFile(path.join(files, 'a b.txt'), 'text');
  await writeFile(path.join(files, '.hidden'), 'hidden');
  await writeFile(path.join(files, 'sub', 'index.html'), '<p>sub</p>');
  await symlink(path.join(base, 'secret.txt'), path.join(files, 'link.txt'));
  const app = await startApp(t, [], { flags: { clientFiles: files, ...flags } });
  return app.base.replace(/\/otp$/, '');
}

/** Requests a file, and closes the connection as soon as all of the file is there. */
function readAndClose(root: string, target: string, bytes: number): Promise<void> {
  const { hostname, port } = new URL(root);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`));
    socket.on('error', reject).on('close', () => resolve());
    socket.setEncoding('latin1').on('data', (part) => {
      answer += part;
      const head = answer.indexOf('\r\n\r\n');
      if (head >= 0 && answer.length === head + 4 + bytes) socket.destroy();
    });
  });
}

test('a client that closes its connection with the last byte of a file has not left early', async (t) => {
  const root = await serveFiles(t);
  for (let i = 0; i < 200; i += 1) await readAndClose(root, '/local/a%20b.txt', 4);
  const counted = async () => {
    const figures = await (await fetch(`${root}/metrics`)).text();
    return [...figures.matchAll(/^trestle_http_requests_total\{.*status="(200|499)"\} (\d+)$/gm)].map((found) =>
      found.slice(1),
    );
  };
  t.deepEqual(await counted(), [['200', '200']]);
});

test('without a mount the root is that of the interface, and the web client is its page', async (t) => {
  const root = await serveFiles(t, { mount: '' });
  t.regex(await (await fetch(`${root}/`)).text(), /"serverVersion":/);
  t.regex(await (await fetch(`${root}/index.html`)).text(), /client[.]js/);
});

test('the root is the web client', async (t) => {
  const root = await serveFiles(t);
  const page = await fetch(`${root}/`, { headers: { Origin: 'https://elsewhere.example' } });
  t.is(page.status, 200);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(page.headers.get('access-control-allow-origin'), null);
  t.regex(page.headers.get('content-security-policy') ?? '', /default-src 'self'/);
  t.notRegex(
    page.headers.get('content-security-policy') ?? '',
    /https?:|unsafe-eval|(worker|script|connect)-src[^;]*blob/,
  );
  const text = await page.text();
  for (const [, name] of text.matchAll(/(?:href|src)="([\w.-]+\.(?:js|css|svg))"/g)) {
    t.is((await fetch(`${root}/${name}`)).status, 200, name);
  }
});

test('files of the client are sent as the build has compressed them', async (t) => {
  const root = await serveFiles(t);
  const get = (headers: Record<string, string>) => request(`${root}/client.js`, { headers });
  const plain = await get({ 'accept-encoding': 'identity' });
  const packed = await get({ 'accept-encoding': 'gzip, br' });
  t.is(plain.headers['content-encoding'], undefined);
  t.is(packed.headers['content-encoding'], 'gzip');
  t.deepEqual(
    [plain, packed].map(({ headers }) => headers.vary),
    ['Accept-Encoding', 'Accept-Encoding'],
  );
  t.is(packed.headers['content-type'], plain.headers['content-type']);
  const bytes = Buffer.from(await packed.body.arrayBuffer());
  t.is(Number(packed.headers['content-length']), bytes.length);
  t.true(gunzipSync(bytes).equals(Buffer.from(await plain.body.arrayBuffer())));
  const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': String(packed.headers.etag) });
  t.is(again.statusCode, 304);
  await again.body.dump();
});

for (const mount of ['/a.b/c-d~e', '/@town', '/a,b=c&d', "/it's", '/a%20b']) {
  test(`the interface is below ${mount}`, async (t) => {
    const app = await startApp(t, [], { flags: { mount } });
    const answer = (path: string) => fetch(app.base.replace(/\/otp$/, path));
    t.deepEqual(await (await answer(`${mount}/routers`)).json(), { routerInfo: [] });
    t.is(
      await (await answer(`${mount}/routers//index/feeds`)).text(),
      await (await answer(`${mount}/routers/default/index/feeds`)).text(),
    );
    t.is((await answer(`${mount}x/routers`)).status, 404);
  });
}

test('the client gets the mount', async (t) => {
  const app = await startApp(t, [], { flags: { mount: '/transit' } });
  const root = app.base.replace(/\/otp$/, '');
  t.deepEqual(await (await fetch(`${root}/client-settings.json`)).json(), { mount: '/transit' });
});

test('the client of a server without accounts is told so', async (t) => {
  const app = await startApp(t, [], { flags: { insecure: true } });
  const root = app.base.replace(/\/otp$/, '');
  t.deepEqual(await (await fetch(`${root}/client-settings.json`)).json(), { mount: '/otp', insecure: true });
});

test('files under /local, with an entity tag', async (t) => {
  const root = await serveFiles(t);
  const file = await fetch(`${root}/local/a%20b.txt`);
  t.is(await file.text(), 'text');
  const etag = file.headers.get('etag') ?? '';
  t.not(etag, '');
  t.is(await rawStatus(root, '/local/a%20b.txt', { 'If-None-Match': etag }), 304);
  const head = await fetch(`${root}/local/a%20b.txt`, { method: 'HEAD' });
  t.is(head.headers.get('content-length'), '4');
});

test('files of the operator have the configured policy, or none', async (t) => {
  const root = await serveFiles(t);
  const { headers } = await fetch(`${root}/local/sub/`);
  t.is(headers.get('content-security-policy'), null);
  t.is(headers.get('referrer-policy'), null);
  t.is(headers.get('x-content-type-options'), 'nosniff');
  const policy = "default-src 'self' https://maps.example";
  const strict = await serveFiles(t, { clientFilesPolicy: policy });
  t.is((await fetch(`${strict}/local/sub/`)).headers.get('content-security-policy'), policy);
});

test('a folder shows its index.html and gets its slash', async (t) => {
  const root = await serveFiles(t);
  const page = await fetch(`${root}/local/sub`);
  t.is(await page.text(), '<p>sub</p>');
  t.is(new URL(page.url).pathname, '/local/sub/');
  t.is((await fetch(`${root}/local/`)).status, 404);
});

test('nothing outside the folder, and nothing hidden', async (t) => {
  const root = await serveFiles(t);
  t.is(await rawStatus(root, '/local/a%20b.txt'), 200);
  for (const name of ['../secret.txt', '%2e%2e/secret.txt', 'sub/../../secret.txt', '..%5csecret.txt', '.hidden']) {
    t.is(await rawStatus(root, `/local/${name}`), 404, name);
  }
  t.is(await rawStatus(root, '/local/link.txt'), 404);
  t.is(await rawStatus(root, '/local//sub'), 404);
  t.is(await rawStatus(root, '/local/..%2fsecret.txt'), 400);
});

test('only GET and HEAD; without --clientFiles there is no /local', async (t) => {
  const root = await serveFiles(t);
  const paths = ['', '/local', '/local/a%20b.txt', '/local/sub/', '/local/sub', '/client-settings.json'];
  for (const name of [...paths, '/health/live', '/health/ready', '/metrics']) {
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await fetch(root + name, { method, redirect: 'manual' });
      t.deepEqual([status, headers.get('allow')], [405, 'HEAD, GET'], `${method} ${name}`);
    }
  }
  t.is((await fetch(`${root}/local/no.txt`, { method: 'POST' })).status, 404);
  const bare = await startApp(t, []);
  t.is((await fetch(`${bare.base.replace(/\/otp$/, '')}/local/a.txt`)).status, 404);
});

test('pages of the client may load the map that the configuration names, and nothing else', async (t) => {
  const baseMap = {
    tiles: 'https://tiles.example/{z}/{x}/{y}.png',
    style: 'https://maps.example:8443/style.json',
    hosts: ['fonts.example'],
  };
  const app = await startApp(t, [], { flags: { baseMap } });
  const root = app.base.replace(/\/otp$/, '');
  const policy = (await fetch(`${root}/`)).headers.get('content-security-policy') ?? '';
  const others = 'https://maps.example:8443 https://tiles.example https://fonts.example';
  t.true(policy.includes(`connect-src 'self' ${others};`), policy);
  t.true(policy.includes(`img-src 'self' data: blob: ${others};`), policy);
  t.true(policy.includes("default-src 'self';"), policy);
  const { baseMap: shown } = (await (await fetch(`${root}/client-settings.json`)).json()) as any;
  t.deepEqual(Object.keys(shown).sort(), ['style', 'tiles']);
});
