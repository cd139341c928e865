/** Bodies of requests in several charsets. */

import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { startApp } from '../support/test-app.js';

const HEADER = 'Straße, 1 €';
const JSON_BODY = JSON.stringify({ alertPatches: [{ id: 'p', route: '1:r', alert: { alertHeaderText: HEADER } }] });
const XML = `<AlertPatchSet><AlertPatch><id>p</id><route>1:r</route><alert><alertHeaderText>${HEADER}</alertHeaderText></alert></AlertPatch></AlertPatchSet>`;

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const latin9 = (text: string) => Buffer.from(text.replaceAll('€', '\xa4'), 'latin1');
const declared = (charset: string) => `<?xml version="1.0" encoding="${charset}"?>${XML}`;

const READ: Array<[what: string, type: string, body: Buffer]> = [
  ['JSON', 'application/json', Buffer.from(JSON_BODY)],
  ['JSON with a byte order mark', 'application/json', Buffer.from(`\ufeff${JSON_BODY}`)],
  ['JSON in UTF-16', 'application/json; charset=utf-16', Buffer.from(`\ufeff${JSON_BODY}`, 'utf16le')],
  ['JSON in UTF-16 that only its mark tells', 'application/json', utf16be(`\ufeff${JSON_BODY}`)],
  ['JSON in UTF-16 whose mark counts more', 'application/json; charset=utf-16', utf16be(`\ufeff${JSON_BODY}`)],
  ['JSON whose mark counts more', 'application/json; charset=iso-8859-1', Buffer.from(`\ufeff${JSON_BODY}`)],
  ['JSON in Latin 9', 'application/json; charset="ISO-8859-15"', latin9(JSON_BODY)],
  ['XML', 'application/xml', Buffer.from(declared('UTF-8'))],
  ['XML without a declaration', 'application/xml', Buffer.from(XML)],
  ['XML that declares UTF-16 but is in UTF-8', 'application/xml', Buffer.from(declared('utf-16'))],
  ['XML that declares Latin 9', 'application/xml', latin9(declared('ISO-8859-15'))],
  [
    'XML with numeric character references',
    'application/xml',
    Buffer.from(XML.replace('ß', '&#223;').replace('€', '&#x20AC;')),
  ],
  ['XML whose type counts more', 'application/xml; charset=utf-8', Buffer.from(declared('ISO-8859-15'))],
];
for (const [what, type, body] of READ) {
  test(`${what}: an alert keeps its letters`, async (t) => {
    const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }], { flags: { insecure: true } });
    const answer = await app.request('/patch/patch', { method: 'POST', body, headers: { 'Content-Type': type } });
    t.deepEqual(await answer.json(), { status: 'OK' });
    const { alertPatches } = await app.json('/patch/routePatches?agency=1&id=r');
    t.is(alertPatches[0].alert.alertHeaderText, HEADER);
  });
}

const REFUSED: Array<[type: string, body: Buffer, status: number, text: string]> = [
  ['application/json', latin9(JSON_BODY), 400, 'the body is not in UTF-8\n'],
  ['application/json; charset=utf-8', latin9(JSON_BODY), 400, 'the body is not in UTF-8\n'],
  ['application/xml', latin9(XML), 400, 'the body is not in UTF-8\n'],
  ['application/json; charset=klingon', Buffer.from(JSON_BODY), 415, 'the charset klingon is not known\n'],
  ['application/xml', Buffer.from(declared('klingon')), 415, 'the charset klingon is not known\n'],
];
for (const [type, body, status, text] of REFUSED) {
  test(`${type} is refused: ${text.trim()} (${body.length} bytes)`, async (t) => {
    const app = await startApp(t, [{ id: 'r', graph: new FakeGraph() }], { flags: { insecure: true } });
    const answer = await app.request('/patch/patch', { method: 'POST', body, headers: { 'Content-Type': type } });
    t.deepEqual([answer.status, await answer.text()], [status, text]);
    t.deepEqual(await app.json('/patch/routePatches?agency=1&id=r'), {});
  });
}
