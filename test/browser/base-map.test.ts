/** A map from another server below the routes of this one. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerFlags } from '../../src/config/server-config.js';
import { ClientTests, mapIsDrawn } from './client-page.js';

/** Serves a style without layers, and records the requests. */
const asked: string[] = [];
const other = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.url === '/style.json') {
    const layers = [{ id: 'far', type: 'background', paint: { 'background-color': '#00f' } }];
    response.end(JSON.stringify({ version: 8, sources: {}, layers }));
  } else {
    response.statusCode = 404;
    response.end();
  }
});
await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
const host = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;

const flags: ServerFlags = { baseMap: { style: `${host}/style.json`, attribution: 'Others' } };
const client = new ClientTests(flags, { close: () => other.close(), map: 'everything' });

client.test('the style of the configuration is drawn below the routes, and links do not change it', async (t) => {
  const { page, errors, hosts } = await client.open(t, '#style=https://elsewhere.example/style.json');
  await mapIsDrawn(page);
  t.deepEqual(asked.filter((path) => path === '/style.json').length > 0, true);
  t.deepEqual([...hosts].sort(), [new URL(client.root).host, new URL(host).host].sort());
  t.deepEqual(errors, []);
});

client.test('both maps of a comparison are drawn on the style of the configuration', async (t) => {
  const { from } = client.ends();
  const before = asked.length;
  const { page } = await client.prepare(t);
  await page.goto(`${client.root}#tab=analyse&origin=${from}&compare=time&otherTime=10:00&compareAs=sides`);
  await page.locator('.map.second .maplibregl-canvas').waitFor();
  await mapIsDrawn(page);
  t.is(asked.slice(before).filter((path) => path === '/style.json').length, 2);
});
