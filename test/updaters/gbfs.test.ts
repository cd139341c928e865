/** Rental systems with the documents of GBFS, from a real server to the interface. */

import test, { type ExecutionContext } from 'ava';
import { serveRental } from '../support/rental-server.js';
import { type Answer, startSource, tagged } from '../support/source-server.js';
import { until } from '../support/until.js';

const INFORMATION = JSON.stringify({
  data: { stations: [{ station_id: 's1', name: 'Dock', lat: 41.15, lon: -8.6, capacity: 9 }] },
});

const STATUS = (bikes: number) =>
  JSON.stringify({
    data: {
      stations: [
        { station_id: 's1', num_bikes_available: bikes, num_docks_available: 5, is_renting: true, is_returning: true },
      ],
    },
  });

const FREE = JSON.stringify({
  data: {
    bikes: [
      { bike_id: 'b1', lat: 41.151, lon: -8.6, is_reserved: false, is_disabled: false },
      { bike_id: 'b2', lat: 41.151, lon: -8.6, is_reserved: true, is_disabled: false },
      { bike_id: 'b3', lat: 41.15, lon: -8.6, station_id: 's1', is_reserved: false, is_disabled: false },
    ],
  },
});

/** Stations and the one free bike, whatever the version. */
const DOCK = { id: 's1', name: 'Dock', bikesAvailable: 3, spacesAvailable: 5, allowDropoff: true };

const BIKE = { id: 'b1', bikesAvailable: 1, spacesAvailable: 0, allowDropoff: false, isFloatingBike: true };

async function gbfs(t: ExecutionContext, path: string, answers: (url: string) => Record<string, Answer>) {
  const source = await startSource(t);
  Object.assign(source.answers, answers(source.url));
  const served = await serveRental(t, { sourceType: 'gbfs', url: source.url + path, network: 'town' });
  await until(async () => (await served.stations()).length === 2);
  const found = Object.fromEntries((await served.stations()).map((station) => [station.id, station]));
  t.like(found.s1, { ...DOCK, networks: ['town'] });
  t.like(found.b1, { ...BIKE, networks: ['town'] });
  return { source, ...served };
}

test('GBFS 1: the documents below a base URL', async (t) => {
  const { source } = await gbfs(t, '/feed', () => ({
    '/feed/station_information.json': INFORMATION,
    '/feed/station_status.json': STATUS(3),
    '/feed/free_bike_status.json': FREE,
  }));
  t.is(source.requests[0]?.path, '/feed/gbfs.json');
});

test('GBFS: a directory may be called gbfs, and so may a discovery document', async (t) => {
  await gbfs(t, '/gbfs', () => ({
    '/gbfs/station_information.json': INFORMATION,
    '/gbfs/station_status.json': STATUS(3),
    '/gbfs/free_bike_status.json': FREE,
  }));
  const listing = (url: string) => {
    const names = { station_information: '/a', station_status: '/b', free_bike_status: '/c' };
    const feeds = Object.entries(names).map(([name, path]) => ({ name, url: url + path }));
    return JSON.stringify({ data: { en: { feeds } } });
  };
  for (const path of ['/gbfs', '/gbfs/gbfs.json']) {
    await gbfs(t, '/gbfs', (url) => ({ [path]: listing(url), '/a': INFORMATION, '/b': STATUS(3), '/c': FREE }));
  }
  const { source, status } = await gbfs(t, '/gbfs', (url) => ({
    '/gbfs': listing(url),
    ...{ '/a': INFORMATION, '/b': STATUS(3), '/c': FREE },
  }));
  source.answers['/gbfs'] = 'Sorry';
  await until(async () => (await status()).failures > 1);
  t.regex((await status()).lastError.message, /gbfs: not valid JSON/, 'the document that was there');
});

test('GBFS: stations that are not installed are left out', async (t) => {
  const place = { lat: 41.15, lon: -8.6 };
  const ids = ['old', 'closed', 'new', 'unknown'];
  const source = await startSource(t, {
    '/feed/station_information.json': JSON.stringify({
      data: { stations: ids.map((station_id) => ({ station_id, ...place })) },
    }),
    '/feed/station_status.json': JSON.stringify({
      data: {
        stations: [
          { station_id: 'old', is_installed: 0, is_renting: 1, num_bikes_available: 3 },
          { station_id: 'closed', is_installed: false },
          { station_id: 'new', is_installed: 1, is_renting: 1, num_bikes_available: 3 },
        ],
      },
    }),
  });
  const { stations } = await serveRental(t, { sourceType: 'gbfs', url: `${source.url}/feed` });
  await until(async () => (await stations()).length > 0);
  t.deepEqual(
    (await stations()).map(({ id }) => id),
    ['new', 'unknown'],
  );
});

test('GBFS 2: found through the discovery document, in English when it can be', async (t) => {
  await gbfs(t, '/gbfs.json', (url) => {
    const feeds = [
      { name: 'station_information', url: `${url}/a` },
      { name: 'station_status', url: `${url}/b` },
      { name: 'free_bike_status', url: `${url}/c` },
    ];
    const discovery = { version: '2.3', data: { pt: { feeds: [] }, en: { feeds } } };
    return { '/gbfs.json': JSON.stringify(discovery), '/a': INFORMATION, '/b': STATUS(3), '/c': FREE };
  });
});

test('GBFS 3: names in languages, vehicles instead of bikes', async (t) => {
  const name = [{ text: 'Dock', language: 'en' }];
  const information = { data: { stations: [{ station_id: 's1', name, lat: 41.15, lon: -8.6 }] } };
  const status = { data: { stations: [{ station_id: 's1', num_vehicles_available: 3, num_docks_available: 5 }] } };
  const vehicles = { data: { vehicles: [{ vehicle_id: 'b1', lat: 41.151, lon: -8.6 }] } };
  await gbfs(t, '/v3/', (url) => ({
    '/v3/gbfs.json': JSON.stringify({
      version: '3.0',
      data: {
        feeds: [
          { name: 'station_information', url: `${url}/a` },
          { name: 'station_status', url: `${url}/b` },
          { name: 'vehicle_status', url: `${url}/c` },
        ],
      },
    }),
    '/a': JSON.stringify(information),
    '/b': JSON.stringify(status),
    '/c': JSON.stringify(vehicles),
  }));
});

test('GBFS: only bikes count where a system rents out scooters and cars too; with routeAsCar, only cars', async (t) => {
  const types = { bike: 'bicycle', cargo: 'cargo_bicycle', kick: 'scooter_standing', car: 'car' };
  const place = { lat: 41.15, lon: -8.6 };
  const counts = (all: Record<string, number>) =>
    Object.entries(all).map(([vehicle_type_id, count]) => ({ vehicle_type_id, count }));
  const free = (id: string, vehicle_type_id?: string) => ({ bike_id: id, ...place, vehicle_type_id });
  const document = (data: unknown) => JSON.stringify({ data });
  const answers = {
    '/vehicle_types.json': document({
      vehicle_types: Object.entries(types).map(([vehicle_type_id, form_factor]) => ({ vehicle_type_id, form_factor })),
    }),
    '/station_information.json': document({ stations: ['all', 'plain'].map((id) => ({ station_id: id, ...place })) }),
    '/station_status.json': document({
      stations: [
        {
          station_id: 'all',
          num_bikes_available: 15,
          num_docks_available: 9,
          vehicle_types_available: counts({ bike: 1, cargo: 2, kick: 4, car: 8 }),
          vehicle_docks_available: [
            { vehicle_type_ids: ['bike', 'cargo'], count: 3 },
            { vehicle_type_ids: ['car'], count: 6 },
          ],
        },
        { station_id: 'plain', num_bikes_available: 5, num_docks_available: 7 },
      ],
    }),
    '/free_bike_status.json': document({
      bikes: [free('B', 'bike'), free('K', 'kick'), free('C', 'car'), free('?'), free('X', 'unheard')],
    }),
  };
  const found = async (settings: object, changed: Record<string, string> = {}) => {
    const source = await startSource(t, { ...answers, ...changed });
    const { stations, status } = await serveRental(t, { sourceType: 'gbfs', url: source.url, ...settings });
    await until(async () => (await status()).runs > 1);
    return (await stations()).map(({ id, bikesAvailable, spacesAvailable }) =>
      [id, bikesAvailable, spacesAvailable].join(' '),
    );
  };
  t.deepEqual(await found({}), ['all 3 3', 'plain 5 7', 'B 1 0', '? 1 0']);
  t.deepEqual(await found({ routeAsCar: true }), ['all 8 6', 'plain 5 7', 'C 1 0', '? 1 0']);
  const scooters = document({ vehicle_types: [{ vehicle_type_id: 'kick', form_factor: 'scooter_standing' }] });
  t.deepEqual(await found({}, { '/vehicle_types.json': scooters }), ['all 0 0', 'plain 0 0']);
  const none = { '/vehicle_types.json': document({ vehicle_types: [] }) };
  t.deepEqual((await found({}, none)).slice(0, 3), ['all 15 9', 'plain 5 7', 'B 1 0']);
});

/** The answers of a system with two bikes and four scooters at one station; the discovery document lists them all. */
function mixedSystem(url: string, counts: object[] = [{ count: 2 }, { count: 4 }]): Record<string, Answer> {
  const document = (data: unknown) => JSON.stringify({ data });
  const kinds = ['bicycle', 'scooter_standing'];
  const names = ['station_information', 'station_status', 'vehicle_types'];
  return {
    '/gbfs.json': document({ en: { feeds: names.map((name) => ({ name, url: `${url}/${name}.json` })) } }),
    '/station_information.json': INFORMATION,
    '/station_status.json': document({
      stations: [
        {
          station_id: 's1',
          num_bikes_available: 6,
          vehicle_types_available: counts.map((count, at) => ({ vehicle_type_id: kinds[at % 2], ...count })),
        },
      ],
    }),
    '/vehicle_types.json': document({
      vehicle_types: kinds.map((kind) => ({ vehicle_type_id: kind, form_factor: kind })),
    }),
  };
}

for (const discovered of [true, false]) {
  test(`GBFS: kinds of vehicles that cannot be read hide no station (${discovered ? 'listed' : 'guessed'})`, async (t) => {
    const source = await startSource(t);
    const { '/gbfs.json': discovery, '/vehicle_types.json': types, ...others } = mixedSystem(source.url);
    Object.assign(source.answers, others, discovered ? { '/gbfs.json': discovery } : {});
    const { stations, status } = await serveRental(t, { sourceType: 'gbfs', url: source.url });
    const bikes = async () => (await stations())[0]?.bikesAvailable;
    await until(async () => (await status()).runs > 1);
    t.is(await bikes(), 6, 'all vehicles count while their kinds are unknown');
    source.answers['/vehicle_types.json'] = types as Answer;
    await until(async () => (await bikes()) === 2);
    for (const [name, failing] of [
      ['Harbour', '{"data":{}}'],
      ['Pier', undefined],
    ] as const) {
      if (failing === undefined) delete source.answers['/vehicle_types.json'];
      else source.answers['/vehicle_types.json'] = failing;
      source.answers['/station_information.json'] = INFORMATION.replace('Dock', name);
      await until(async () => (await stations())[0]?.name === name);
      t.is(await bikes(), 2, 'the kinds that were last read');
    }
    const { failures, warning } = await status();
    t.is(failures, 0);
    if (discovered) t.regex(warning, /vehicle_types\.json: status 404/);
    else t.is(warning, undefined, 'the system may have none');
    source.answers['/vehicle_types.json'] = types as Answer;
    await until(async () => (await status()).warning === undefined);
  });
}

test('GBFS: a kind of vehicle without a usable number counts as none, and the others count', async (t) => {
  const source = await startSource(t);
  Object.assign(source.answers, mixedSystem(source.url, [{ count: 2 }, {}, {}, {}, { count: 'x' }, {}, { count: 1 }]));
  const { stations } = await serveRental(t, { sourceType: 'gbfs', url: source.url });
  await until(async () => (await stations()).length === 1);
  t.is((await stations())[0].bikesAvailable, 3);
});

test('GBFS documents that have not changed are not sent again, and those that have are', async (t) => {
  let bikes = 3;
  const tagged =
    (tag: () => string, body: () => string): Answer =>
    (request, response) => {
      response.setHeader('ETag', tag());
      if (request.headers['if-none-match'] === tag()) response.writeHead(304).end();
      else response.end(body());
    };
  const { stations, status } = await gbfs(t, '/feed/', () => ({
    '/feed/station_information.json': tagged(
      () => '"i"',
      () => INFORMATION,
    ),
    '/feed/station_status.json': tagged(
      () => `"${bikes}"`,
      () => STATUS(bikes),
    ),
    '/feed/free_bike_status.json': tagged(
      () => '"f"',
      () => FREE,
    ),
  }));
  bikes = 1;
  await until(async () => (await stations()).some(({ id, bikesAvailable }) => id === 's1' && bikesAvailable === 1));
  const now = await stations();
  t.deepEqual(
    now.map(({ bikesAvailable }) => bikesAvailable),
    [1, 1],
  );
  t.is((await status()).failures, 0);
});

test('GBFS: stations and bikes without an id are left out, and names may be missing', async (t) => {
  const place = { lat: 41.15, lon: -8.6 };
  const rows = [
    { ...place, name: 'A' },
    { ...place, station_id: {}, name: 'B' },
    { ...place, station_id: 3, name: {} },
  ];
  const source = await startSource(t, {
    '/feed/station_information.json': JSON.stringify({ data: { stations: rows } }),
    '/feed/station_status.json': JSON.stringify({ data: { stations: [{ num_bikes_available: 3 }] } }),
    '/feed/free_bike_status.json': JSON.stringify({ data: { bikes: [place, { ...place, bike_id: 'b' }] } }),
  });
  const { stations, status } = await serveRental(t, { sourceType: 'gbfs', url: `${source.url}/feed` });
  await until(async () => (await status()).runs > 1);
  t.deepEqual(
    (await stations()).map(({ id, name }) => [id, name]),
    [
      ['3', ''],
      ['b', ''],
    ],
  );
});

test('GBFS: documents of another form keep the stations, also when they stay the same', async (t) => {
  const { source, stations, status } = await gbfs(t, '/feed', () => ({
    '/feed/station_information.json': INFORMATION,
    '/feed/station_status.json': STATUS(3),
    '/feed/free_bike_status.json': FREE,
  }));
  source.answers['/feed/station_information.json'] = tagged('{"data":{}}');
  await until(async () => (await status()).failures > 2);
  t.is((await stations()).length, 2);
  t.is((await status()).lastError.message, 'no list of stations');
});

test('GBFS: a document that changed while another one failed is used as soon as all can be read', async (t) => {
  const { source, stations, status } = await gbfs(t, '/feed', () => ({
    '/feed/station_information.json': tagged(INFORMATION),
    '/feed/station_status.json': tagged(STATUS(3)),
    '/feed/free_bike_status.json': tagged(FREE),
  }));
  delete source.answers['/feed/station_status.json'];
  source.answers['/feed/station_information.json'] = tagged(INFORMATION.replace('Dock', 'Harbour'), '"other"');
  await until(async () => (await status()).failures > 1);
  source.answers['/feed/station_status.json'] = tagged(STATUS(3));
  await until(async () => (await status()).lastError === undefined);
  t.deepEqual(
    (await stations()).map(({ name }) => name),
    ['Harbour', ''],
  );
});

/** A system with a single document. */
const JCDECAUX = JSON.stringify([{ number: 7, name: 'A', position: { lat: 41.15, lng: -8.6 }, status: 'OPEN' }]);

for (const sourceType of ['gbfs', 'jcdecaux']) {
  test(`${sourceType}: stations that were dropped come back, although they have not changed`, async (t) => {
    const all = {
      '/gbfs/station_information.json': tagged(INFORMATION),
      '/gbfs/station_status.json': tagged(STATUS(3)),
      '/jcdecaux/': tagged(JCDECAUX),
    };
    const source = await startSource(t, { ...all });
    const url = `${source.url}/${sourceType}/`;
    const { stations, status } = await serveRental(t, { sourceType, url, staleAfterSec: 1 });
    await until(async () => (await stations()).length === 1);
    for (const path of Object.keys(all)) delete source.answers[path];
    await until(async () => (await status()).stale);
    t.is((await stations()).length, 0);
    Object.assign(source.answers, all);
    await until(async () => !(await status()).stale);
    t.is((await stations()).length, 1);
  });
}

test('GBFS: where any number of bikes may be left, there is no number of spaces', async (t) => {
  const information = { data: { stations: [{ station_id: 's1', name: 'Area', lat: 41.15, lon: -8.6 }] } };
  const status = { data: { stations: [{ station_id: 's1', num_bikes_available: 3, is_returning: true }] } };
  const source = await startSource(t, {
    '/feed/station_information.json': JSON.stringify(information),
    '/feed/station_status.json': JSON.stringify(status),
  });
  const { stations } = await serveRental(t, { sourceType: 'gbfs', url: `${source.url}/feed` });
  await until(async () => (await stations()).length === 1);
  t.like((await stations())[0], { bikesAvailable: 3, spacesAvailable: 2_147_483_647 });
});

test('GBFS: the reason why an address called gbfs cannot be read is given', async (t) => {
  const source = await startSource(t);
  const { status } = await serveRental(t, { sourceType: 'gbfs', url: `${source.url}/gbfs` });
  await until(async () => (await status()).failures > 0);
  t.regex((await status()).lastError?.message ?? '', /\/gbfs: status 404/);
});
