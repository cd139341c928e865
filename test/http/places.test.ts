/** Places by name and pictures of the graph, on a real graph of a few lines. */

import test from 'ava';
import sharp from 'sharp';
import { builtBefore, sharedGraph } from '../support/built-graph.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { startApp } from '../support/test-app.js';

const feed = builtBefore(test, buildSmallFeed);

const serve = (t: Parameters<typeof startApp>[0]) => startApp(t, [{ id: 'r', graph: sharedGraph(feed.graph) }]);

test('stops are found without accents, misspelt, by code and by prefix', async (t) => {
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

test('words in quotation marks follow each other in a name', async (t) => {
  const stop = (id: string, name: string) => `${id},,${name},41,-8.6,0,`;
  const town = await buildSmallFeed({
    'stops.txt': [
      'stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station',
      ...[stop('a:1', 'Praça da República'), stop('b 2', 'República da Praça'), stop('ç%', 'Praça Republicana')],
    ].join('\n'),
  });
  t.teardown(() => town.remove());
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }]);
  const find = async (query: string, rest = '') => {
    const found = await app.json(`/routers/r/geocode?query=${encodeURIComponent(query)}${rest}`);
    return found.map((place: any) => place.description.trim().replace('stop ', ''));
  };
  t.is((await find('praca da republica')).length, 3);
  t.deepEqual(await find('"praca da REPUBLICA"'), ['Praça da República']);
  t.deepEqual(await find('“praça da república”'), ['Praça da República']);
  t.deepEqual(await find('"republica da" nowhere'), ['República da Praça']);
  t.deepEqual(await find('"praca republica"'), []);
  t.deepEqual(await find('"republika"'), []);
  t.deepEqual(await find('republicana "praca da"'), ['Praça da República', 'Praça Republicana', 'República da Praça']);
  t.is((await find('"praca da', '&autocomplete=true')).length, 3);
});

test('of stops that match equally well, whole names come first, then those of trains and those with many lines', async (t) => {
  const stop = (id: string, name: string) => `${id},,${name},41.0${id.length},-8.6,0,`;
  const town = await buildSmallFeed({
    'stops.txt': [
      'stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station',
      ...[stop('far', 'Market Square'), stop('bus', 'MARKET'), stop('buses', 'Market'), stop('metro', 'Market')],
      stop('end', 'End'),
    ].join('\n'),
    'routes.txt': `route_id,agency_id,route_short_name,route_long_name,route_type
B,AG,10,,3
C,AG,11,,3
M,AG,U,,1`,
    'trips.txt': `route_id,service_id,trip_id
B,WK,b
C,WK,c
M,WK,m`,
    'stop_times.txt': `trip_id,stop_sequence,stop_id,arrival_time,departure_time
b,1,far,8:00:00,8:00:00
b,2,bus,8:05:00,8:05:00
b,3,buses,8:10:00,8:10:00
c,1,buses,8:00:00,8:00:00
c,2,end,8:10:00,8:10:00
m,1,metro,8:00:00,8:00:00
m,2,end,8:10:00,8:10:00`,
  });
  t.teardown(() => town.remove());
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }]);
  for (const query of ['market', 'mark&autocomplete=true']) {
    const found = await app.json(`/routers/r/geocode?query=${query}`);
    t.deepEqual(
      found.map((place: any) => place.id),
      ['1_metro', '1_buses', '1_bus', '1_far'],
      query,
    );
  }
});

/** A town with a café and two houses, within the boundary of its municipality. */
const MAP = `<?xml version="1.0"?><osm>
<node id="1" lat="40.9" lon="-8.7"/><node id="2" lat="40.9" lon="-8.5"/>
<node id="3" lat="41.1" lon="-8.5"/><node id="4" lat="41.1" lon="-8.7"/>
<node id="5" lat="41.01" lon="-8.61"><tag k="place" v="town"/><tag k="name" v="Vila Praça"/></node>
<node id="6" lat="41.02" lon="-8.62"><tag k="amenity" v="fast_food"/><tag k="name" v="Café Estação"/></node>
<node id="7" lat="41.03" lon="-8.63"><tag k="addr:street" v="Rua das Flores"/><tag k="addr:housenumber" v="12 A"/></node>
<node id="8" lat="41.04" lon="-8.64"><tag k="addr:street" v="Rua das Flores"/><tag k="addr:housenumber" v="120"/>
<tag k="addr:city" v="Vila Praça"/></node>
<way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/></way>
<relation id="1"><member type="way" ref="1" role="outer"/><tag k="type" v="boundary"/>
<tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Vila Praça"/></relation>
</osm>`;

test('places and addresses of the map are found when requested', async (t) => {
  const town = await buildSmallFeed({}, MAP);
  t.teardown(() => town.remove());
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }]);
  const find = async (query: string) =>
    (await app.json(`/routers/r/geocode?${query}`)).map((place: any) => place.description);
  t.deepEqual(await find('query=praca'), ['stop Praça & 1st (17)']);
  t.deepEqual(await find('query=vila+praca&places=true'), ['place Vila Praça (town)', 'stop Praça & 1st (17)']);
  t.deepEqual(await find('query=esta&autocomplete=true&places=true'), ['place Café Estação (fast food)']);
  t.deepEqual(await find('query=cafe+estacoa&places=true'), ['place Café Estação (fast food)']);
  t.deepEqual(await find('query=rua+flores+12a&places=true'), ['address Rua das Flores 12 A ']);
  t.deepEqual(await find('query=120+rua+das+flores&places=true&stops=false'), [
    'address Rua das Flores 120 (Vila Praça)',
  ]);
  t.deepEqual(await find('query=rua+das+flores&places=true'), []);
  const [house] = await app.json('/routers/r/geocode?query=flores+120&places=true');
  t.deepEqual([house.lat, house.lng, house.id], [41.04, -8.64, undefined]);
  t.is(await (await app.get('/municoder?location=41,-8.6')).text(), '{ "name" : "Vila Praça" }');
  t.is(await (await app.get('/municoder?location=42,-8.6')).text(), '{}');
});

test('a stop comes before a corner that has more words of the query only because it has the names of two streets', async (t) => {
  const street = (id: number, name: string, end: number) => `<way id="${id}"><nd ref="1"/><nd ref="${end}"/>
<tag k="highway" v="residential"/><tag k="name" v="${name}"/></way>`;
  const map = `<?xml version="1.0"?><osm>
<node id="1" lat="41" lon="-8.6"/><node id="2" lat="41.001" lon="-8.6"/><node id="3" lat="41" lon="-8.601"/>
${street(1, 'Rua da Batalha de Aljubarrota', 2)}${street(2, 'Travessa da Praça Nova do Mercado', 3)}</osm>`;
  const stops = `stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station
a:1,,Praça da Batalha,41.000,-8.600,0,
b 2,,Rua do Carvalho,41.002,-8.600,0,
ç%,,End,41.020,-8.600,0,`;
  const town = await buildSmallFeed({ 'stops.txt': stops }, map);
  t.teardown(() => town.remove());
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }]);
  const find = async (query: string) =>
    (await app.json(`/routers/r/geocode?corners=true&query=${query}`)).map((place: any) => place.description.trim());
  const [stop, corner] = [
    'stop Praça da Batalha',
    'corner Rua da Batalha de Aljubarrota & Travessa da Praça Nova do Mercado',
  ];
  t.deepEqual(await find('praca+da+batalha+rua'), [stop, corner, 'stop Rua do Carvalho']);
  t.deepEqual(await find('rua+da+batalha+travessa'), [corner, stop, 'stop Rua do Carvalho']);
});

test('a corner with a street without a name comes after those of two names', async (t) => {
  const way = (id: number, end: number, tags: string) =>
    `<way id="${id}"><nd ref="${end - 1}"/><nd ref="${end}"/>${tags}</way>`;
  const named = (name: string) => `<tag k="highway" v="residential"/><tag k="name" v="${name}"/>`;
  const map = `<?xml version="1.0"?><osm>
<node id="1" lat="41" lon="-8.602"/><node id="2" lat="41" lon="-8.601"/><node id="3" lat="41" lon="-8.6"/>
<node id="4" lat="41.001" lon="-8.6"/>
${way(1, 2, '<tag k="highway" v="service"/>')}${way(2, 3, named('Rua da Alegria'))}${way(3, 4, named('Travessa de Baixo'))}
</osm>`;
  const town = await buildSmallFeed({}, map);
  t.teardown(() => town.remove());
  const app = await startApp(t, [{ id: 'r', graph: sharedGraph(town.graph) }]);
  const found = await app.json('/routers/r/geocode?corners=true&query=rua+da+alegria');
  t.deepEqual(
    found.map((place: any) => place.description.trim()),
    ['corner Rua da Alegria & Travessa de Baixo', 'corner service road & Rua da Alegria'],
  );
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

test('missing configuration is reported', async (t) => {
  const app = await serve(t);
  t.deepEqual(await app.json('/geocode?address=x'), { error: 'no geocoder configured', count: 0 });
  t.is((await app.get('/geocode')).status, 400);
  t.is(await (await app.get('/routers/r/updaters')).text(), 'No updaters running.');
  t.deepEqual(await app.json('/routers/r/bike_rental'), { stations: [] });
  t.deepEqual(await app.json('/routers/r/scenarios'), {});
});
