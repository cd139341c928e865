/** GET geocode over geocoders of each kind, served for real. */

import test from 'ava';
import { type Answer, startSource } from '../support/source-server.js';
import { startApp } from '../support/test-app.js';

const json = (value: unknown): Answer => JSON.stringify(value);
const pointFeature = (lat: number, lng: number, properties: object) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lng, lat] },
  properties,
});

const NOMINATIM = json([
  { lat: '41.15', lon: '-8.61', display_name: 'Rua A, Porto' },
  { lat: 'x', lon: 'y', display_name: 'nowhere' },
]);
const PHOTON = json({
  type: 'FeatureCollection',
  features: [
    pointFeature(41.15, -8.61, { name: 'Rua A', city: 'Porto', country: 'Portugal' }),
    pointFeature(41.2, -8.5, { street: 'Rua B', housenumber: '7', city: 'Maia' }),
  ],
});
const PELIAS = json({
  type: 'FeatureCollection',
  features: [pointFeature(41.16, -8.62, { label: 'Rua C, Porto, Portugal' })],
});

test('requests and answers have the form of each kind', async (t) => {
  const source = await startSource(t, { '/nominatim': NOMINATIM, '/photon': PHOTON, '/pelias': PELIAS });
  const ask = async (type: 'nominatim' | 'photon' | 'pelias', query: string) => {
    const geocoders = [{ type, url: `${source.url}/${type}?lang=pt`, apiKey: 'k', userAgent: 'test' }];
    const app = await startApp(t, [], { flags: { geocoders } });
    const answer = await app.get(`/geocode?${query}`);
    t.is(answer.headers.get('Content-Type'), 'application/json;charset=UTF-8');
    const asked = source.requests.at(-1);
    return { body: await answer.json(), asked: Object.fromEntries(new URLSearchParams(asked?.path.split('?')[1])) };
  };
  const query = 'address=Rua+A&bbox=41,-9,41.18,-8';

  const nominatim = await ask('nominatim', query);
  t.deepEqual(nominatim.body, { results: [{ lat: 41.15, lng: -8.61, description: 'Rua A, Porto' }], count: 1 });
  t.like(nominatim.asked, { q: 'Rua A', format: 'jsonv2', viewbox: '-9,41.18,-8,41', bounded: '1', lang: 'pt' });

  const photon = await ask('photon', query);
  const inBox = { lat: 41.15, lng: -8.61, description: 'Rua A, Porto, Portugal' };
  t.deepEqual(photon.body, { results: [inBox], count: 1 });
  t.like(photon.asked, { q: 'Rua A', bbox: '-9,41,-8,41.18' });
  const everywhere: any = (await ask('photon', 'address=Rua')).body;
  t.is(everywhere.results[1].description, 'Rua B 7, Maia');

  const pelias = await ask('pelias', query);
  t.deepEqual(pelias.body, { results: [{ lat: 41.16, lng: -8.62, description: 'Rua C, Porto, Portugal' }], count: 1 });
  t.like(pelias.asked, { text: 'Rua A', api_key: 'k', 'boundary.rect.max_lat': '41.18' });
  t.is(source.requests.at(-1)?.headers['user-agent'], 'test');
});

test('several geocoders get the query at once; it is an error only if all of them fail', async (t) => {
  const source = await startSource(t, {
    '/a': NOMINATIM,
    '/b': PHOTON,
    '/html': '<html>',
    '/busy': (_, r) => r.writeHead(429).end(),
  });
  const ask = async (...kinds: Array<['nominatim' | 'photon', string]>) => {
    const geocoders = kinds.map(([type, path]) => ({ type, url: source.url + path }));
    return (await startApp(t, [], { flags: { geocoders } })).json('/geocode?address=x');
  };
  const found = await ask(['nominatim', '/a'], ['nominatim', '/busy'], ['photon', '/b']);
  t.is(found.count, 2);
  t.is(found.results[0].description, 'Rua A, Porto');
  t.deepEqual(await ask(['nominatim', '/busy']), { error: 'the geocoder answered with status 429', count: 0 });
  t.deepEqual(await ask(['photon', '/html']), { error: 'the answer is not that of a photon server', count: 0 });
});

test('missing and wrong parameters are reported', async (t) => {
  const app = await startApp(t, []);
  t.deepEqual(await app.json('/geocode?address=x'), { error: 'no geocoder configured', count: 0 });
  const complaint = async (query: string) => {
    const answer = await app.get(`/geocode?${query}`);
    return [answer.status, await answer.text()];
  };
  t.deepEqual(await complaint(''), [400, 'no address']);
  t.deepEqual(await complaint('address=x&bbox=1,2,3'), [400, 'A bounding box must have four coordinates.']);
  t.deepEqual(await complaint('address=x&bbox=1,2,3,a'), [400, 'Unable to parse coordinate: a']);
});
