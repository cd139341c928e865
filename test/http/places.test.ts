/** Places by name and pictures of the graph, on a real graph of a few lines. */

import test from 'ava';
import sharp from 'sharp';
import { sharedGraph } from '../support/built-graph.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';

let feed: Awaited<ReturnType<typeof buildSmallFeed>>;
test.before(async () => {
  feed = await buildSmallFeed();
});
test.after.always(() => feed?.remove());

const serve = (t: Parameters<typeof startApp>[0]) => startApp(t, [{ id: 'r', graph: sharedGraph(feed.graph) }]);

test('stops are found without accents, misspelt, by code and by beginning', async (t) => {
  const app = await serve(t);
  const find = async (query: string) =>
    (await app.json(`/routers/r/geocode?${query}`)).map((place: any) => place.id ?? place.description);
  t.deepEqual(await find('query=praca'), ['1_a:1']);
  t.deepEqual(await find('query=pracca'), ['1_a:1']);
  t.deepEqual(await find('query=17'), ['1_a:1']);
  t.deepEqual(await find('query=pra&autocomplete=true'), ['1_a:1']);
  t.deepEqual(await find('query=nowhere'), []);
  const [place] = await app.json('/routers/r/geocode?query=praca');
  t.deepEqual(place, { lat: 41, lng: -8.6, description: 'stop Praça & 1st (17)', id: '1_a:1' });
  t.is((await app.get('/routers/r/geocode')).status, 400);
});

test('tiles show stops in the colour of their layer, in each format', async (t) => {
  const app = await serve(t);
  const tile = (layer: string, file: string) => app.get(`/routers/r/inspector/tile/${layer}/14/7800/${file}`);
  const colors = async (layer: string) => {
    const answer = await tile(layer, '6142.png');
    t.is(answer.headers.get('Content-Type'), 'image/png');
    const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
      .raw()
      .toBuffer({ resolveWithObject: true });
    t.deepEqual([info.width, info.height, info.channels], [256, 256, 4]);
    const found = new Set<string>();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) found.add(data.subarray(i, i + 3).join());
    return found;
  };
  t.true((await colors('traversal')).has('0,0,204'));
  t.true((await colors('wheelchair')).has('255,200,0'));
  t.is((await colors('car-speed')).size, 0);
  t.is((await tile('traversal', '6142.jpeg')).headers.get('Content-Type'), 'image/jpeg');
  t.is((await tile('traversal', '6142.bmp')).status, 400);
  t.is((await tile('bogus', '6142.png')).status, 404);
});

test('what is not configured is told', async (t) => {
  const app = await serve(t);
  t.deepEqual(await app.json('/geocode?address=x'), { error: 'no geocoder configured', count: 0 });
  t.is((await app.get('/geocode')).status, 400);
  t.is(await (await app.get('/routers/r/updaters')).text(), 'No updaters running.');
  t.deepEqual(await app.json('/routers/r/bike_rental'), { stations: [] });
  t.deepEqual(await app.json('/routers/r/scenarios'), {});
});
