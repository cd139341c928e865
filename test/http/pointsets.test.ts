/** Who may store point sets, and how large they may be. */

import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import type { ServerFlags } from '../../src/config/server-config.js';
import { hashPassword } from '../../src/server/authenticator.js';
import { openFiles } from '../support/open-files.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';

const ROW = '41.1,-8.6,5\n';
const SMALL = `lat,lon,jobs\n${ROW}`;
const LARGE = `lat,lon,jobs\n${ROW.repeat(100)}`;

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

async function setUp(t: ExecutionContext, flags: ServerFlags = {}) {
  const directory = await temporaryDirectory(t);
  const app = await startApp(t, [], { flags: { analyst: true, pointSets: directory, ...flags } });
  const store = async (body: RequestInit['body'], headers: Record<string, string> = {}) => {
    const init = { method: 'POST', body, headers: { 'Content-Type': 'text/csv', ...headers }, duplex: 'half' };
    const response = await app.request('/pointsets/jobs', init as RequestInit);
    return { status: response.status, text: await response.text() };
  };
  return { app, store, files: () => readdir(directory), open: () => openFiles(directory) };
}

test('storing and removing point sets needs the role', async (t) => {
  const users = [
    { name: 'ada', password: await hashPassword('horse'), roles: ['ROLE_ROUTERS'] },
    { name: 'bob', password: await hashPassword('weak'), roles: [] },
  ];
  const { app, store, files } = await setUp(t, { users });
  const remove = async (headers: Record<string, string> = {}) =>
    (await app.request('/pointsets/jobs', { method: 'DELETE', headers })).status;

  t.is((await store(SMALL)).status, 401);
  t.is((await store(SMALL, basic('ada', 'wrong'))).status, 401);
  t.deepEqual(await store(SMALL, basic('bob', 'weak')), { status: 403, text: 'bob lacks the role ROLE_ROUTERS\n' });
  t.deepEqual(await files(), []);

  t.is((await store(SMALL, basic('ada', 'horse'))).status, 201);
  t.is(await remove(), 401);
  t.is(await remove(basic('bob', 'weak')), 403);
  t.deepEqual(await app.json('/pointsets'), [{ id: 'jobs' }]);
  t.is(await remove(basic('ada', 'horse')), 200);
});

test('without analysis there are no point sets to read, store or remove', async (t) => {
  const { app, files } = await setUp(t, { insecure: true, analyst: false });
  for (const [method, target] of [
    ['GET', '/pointsets'],
    ['GET', '/pointsets/jobs'],
    ['POST', '/pointsets/jobs'],
    ['DELETE', '/pointsets/jobs'],
  ] as const) {
    const init = { method, body: method === 'POST' ? SMALL : null, headers: { 'Content-Type': 'text/csv' } };
    const response = await app.request(target, init);
    t.is(response.status, 404, `${method} ${target}`);
    t.regex(await response.text(), /^ANALYST_OFF/);
  }
  t.deepEqual(await files(), []);
});

test('an id that cannot name a file is refused', async (t) => {
  const { app, files } = await setUp(t, { insecure: true });
  const send = async (method: string, id: string) => {
    const init = { method, body: method === 'POST' ? SMALL : null, headers: { 'Content-Type': 'text/csv' } };
    return (await app.request(`/pointsets/${encodeURIComponent(id)}`, init)).status;
  };
  for (const id of ['a/b', '.a', 'a'.repeat(129), '站'.repeat(67)]) {
    t.deepEqual([await send('POST', id), await send('DELETE', id)], [400, 400], id);
  }
  t.deepEqual(await files(), []);
  for (const id of ['a b', 'a'.repeat(128), '站'.repeat(66)]) {
    t.deepEqual([await send('POST', id), await send('DELETE', id)], [201, 200], id);
  }
});

test('point sets may be sent in the charset that their type names', async (t) => {
  const { app, store, files, open } = await setUp(t, { insecure: true });
  // The garbage collector may have closed what was left open, with a warning.
  const warnings: string[] = [];
  process.on('warning', ({ message }) => warnings.push(message));
  const text = 'id,lat,lon,jobs\nPré,41.1,-8.6,5\n';
  const type = (charset: string) => ({ 'Content-Type': `text/csv; charset=${charset}` });
  const refused = (text: string, status = 400) => ({ status, text: `${text}\n` });
  t.deepEqual(await store(text, type('klingon')), refused('the charset klingon is not known', 415));
  t.deepEqual([await open(), warnings], [[], []]);
  t.deepEqual(await store(Buffer.from(text, 'latin1'), type('utf-8')), refused('the body is not in UTF-8'));
  t.deepEqual(await store(Buffer.from(text, 'latin1')), refused('the file is not in UTF-8'));
  t.deepEqual(await files(), []);
  t.is((await store(Buffer.from(text, 'latin1'), type('iso-8859-1'))).status, 201);
  t.is((await app.json('/pointsets/jobs')).features[0].id, 'Pré');
  const json = Buffer.from(JSON.stringify(await app.json('/pointsets/jobs')).replace('Pré', 'Schloß'), 'latin1');
  t.is((await store(json, { 'Content-Type': 'application/geo+json; charset=windows-1252' })).status, 200);
  t.is((await app.json('/pointsets/jobs')).features[0].id, 'Schloß');
});

test('a larger point set is shown to clients that ask for that many features', async (t) => {
  const { app, store } = await setUp(t, { insecure: true });
  const rows = Array.from({ length: 300 }, (_, i) => `48.0${i},15.0,1`);
  t.is((await store(`lat,lon,jobs\n${rows.join('\n')}\n`)).status, 201);
  t.deepEqual(await app.json('/pointsets/jobs'), { id: 'jobs', n: 300 });
  t.deepEqual(await app.json('/pointsets/jobs?most=299'), { id: 'jobs', n: 300 });
  t.is((await app.json('/pointsets/jobs?most=300')).features.length, 300);
});

test('a point set that is too large gets 413, with or without Content-Length; the previous one stays', async (t) => {
  const { app, store, files } = await setUp(t, { insecure: true, maxUploadBytes: 100 });
  t.is((await store(SMALL)).status, 201);
  const refused = { status: 413, text: 'the body is larger than 100 bytes\n' };
  t.deepEqual(await store(LARGE), refused);
  t.deepEqual(await store(new Blob([LARGE]).stream()), refused);
  t.deepEqual(await store(new Blob([LARGE]).stream(), { 'Content-Type': 'text/csv; charset=latin1' }), refused);
  t.deepEqual(await files(), ['jobs.csv']);
  t.is((await app.json('/pointsets/jobs')).features.length, 1);
});

test('a compressed body is refused by its header, not as a broken file', async (t) => {
  const { store, files } = await setUp(t, { insecure: true });
  const refused = await store(gzipSync(SMALL), { 'Content-Encoding': 'gzip' });
  t.deepEqual(refused, { status: 415, text: 'send the file without Content-Encoding\n' });
  t.deepEqual(await files(), []);
  t.is((await store(SMALL, { 'Content-Encoding': 'identity' })).status, 201);
});
