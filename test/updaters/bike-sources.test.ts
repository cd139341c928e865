/** Every kind of rental system but GBFS, from a real server to the interface. */

import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { serveRental } from '../support/rental-server.js';
import { startSource, tagged } from '../support/source-server.js';
import { until } from '../support/until.js';

/** A document of a kind with one station in use and one that is not, and the expected result. */
interface Sample {
  readonly document: string;
  readonly station: Record<string, unknown>;
  readonly settings?: Record<string, unknown>;
  /** Query of the URL. */
  readonly query?: string;
  /** A header that the source requires. */
  readonly header?: [name: string, value: string];
}

const at = { x: -8.6, y: 41.15 };

const SAMPLES: Readonly<Record<string, Sample>> = {
  jcdecaux: {
    document: JSON.stringify([
      {
        number: 7,
        name: 'A',
        position: { lat: 41.15, lng: -8.6 },
        available_bikes: 3,
        available_bike_stands: 4,
        status: 'OPEN',
      },
      {
        number: 8,
        name: 'B',
        position: { lat: 41.15, lng: -8.6 },
        available_bikes: 3,
        available_bike_stands: 4,
        status: 'CLOSED',
      },
    ]),
    station: { id: '7', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4, networks: ['default'] },
    settings: { networks: ',' },
  },
  'b-cycle': {
    document: JSON.stringify([
      {
        Id: 'k1',
        Name: 'A',
        Location: { Latitude: 41.15, Longitude: -8.6 },
        BikesAvailable: 3,
        DocksAvailable: 4,
        Status: 'Active',
      },
      {
        Id: 'k2',
        Name: 'B',
        Location: { Latitude: 41.15, Longitude: -8.6 },
        BikesAvailable: 3,
        DocksAvailable: 4,
        Status: 'ComingSoon',
      },
    ]),
    station: { id: 'k1', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4, networks: ['B-Cycle'] },
    settings: { apiKey: 'secret' },
    header: ['apikey', 'secret'],
  },
  'citi-bike-nyc': {
    document: JSON.stringify({
      stationBeanList: [
        {
          id: 7,
          stationName: 'A',
          latitude: 41.15,
          longitude: -8.6,
          availableBikes: 3,
          availableDocks: 4,
          statusValue: 'In Service',
          testStation: false,
        },
        {
          id: 8,
          stationName: 'B',
          latitude: 41.15,
          longitude: -8.6,
          availableBikes: 3,
          availableDocks: 4,
          statusValue: 'In Service',
          testStation: true,
        },
      ],
    }),
    station: { id: '7', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4, networks: ['CitiBike'] },
  },
  'sf-bay-area': {
    document: JSON.stringify({
      stationBeanList: [
        {
          id: 7,
          stationName: 'A',
          latitude: 41.15,
          longitude: -8.6,
          availableBikes: 3,
          availableDocks: 4,
          statusValue: 'In Service',
        },
        {
          id: 8,
          stationName: 'B',
          latitude: 41.15,
          longitude: -8.6,
          availableBikes: 3,
          availableDocks: 4,
          statusValue: 'Planned',
        },
      ],
    }),
    station: { id: '7', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4, networks: ['mine'] },
    settings: { network: 'mine' },
  },
  'share-bike': {
    document: JSON.stringify({
      result: {
        LiveStationData: [
          {
            StationID: '7',
            StationName: 'A',
            Latitude: '41.15',
            Longitude: '-8.6',
            AvailableBikeCount: '3',
            AvailableSlotCount: '4',
            Online: true,
          },
          {
            StationID: '8',
            StationName: 'B',
            Latitude: '41.15',
            Longitude: '-8.6',
            AvailableBikeCount: '3',
            AvailableSlotCount: '4',
            Online: false,
          },
          { StationName: 'without an id', Latitude: '41.15', Longitude: '-8.6', Online: true },
        ],
      },
    }),
    query: '?SystemID=town',
    station: { id: 'town_7', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4, networks: ['town'] },
  },
  'uip-bike': {
    document: JSON.stringify({
      stations: [
        { id: 7, title: 'A', center: { latitude: 41.15, longitude: -8.6 }, availability: { bikes: 3, locks: 4 } },
      ],
    }),
    station: { id: '7', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4 },
    settings: { apiKey: 'secret' },
    header: ['client-identifier', 'secret'],
  },
  smoove: {
    document: JSON.stringify({
      result: [{ name: '004 Hamn', coordinates: '41.15,-8.6', avl_bikes: 3, free_slots: 4, operative: false }],
    }),
    station: { id: '004', name: 'Hamn', ...at, bikesAvailable: 0, spacesAvailable: 0 },
  },
  bicimad: {
    document: JSON.stringify({
      stations: [
        { id: 7, name: 'A', latitude: '41.15', longitude: '-8.6', dock_bikes: 3, free_bases: 4, activate: 1 },
        { id: 8, name: 'B', latitude: '41.15', longitude: '-8.6', dock_bikes: 3, free_bases: 4, activate: 0 },
      ],
    }),
    station: { id: '7', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4 },
  },
  'city-bikes': {
    document: JSON.stringify([{ id: 7, name: 'A', lat: 41150000, lng: -8600000, bikes: 3, free: 4 }]),
    station: { id: '7', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4 },
  },
  bixi: {
    document: `<?xml version="1.0"?><stations>
      <station><id>7</id><name>A &amp; B</name><lat>41.15</lat><long>-8.6</long><installed>true</installed><nbBikes>3</nbBikes><nbEmptyDocks>4</nbEmptyDocks></station>
      <station><id>8</id><name>C</name><lat>41.15</lat><long>-8.6</long><installed>false</installed><nbBikes>3</nbBikes><nbEmptyDocks>4</nbEmptyDocks></station>
    </stations>`,
    station: { id: '7', name: 'A & B', ...at, bikesAvailable: 3, spacesAvailable: 4 },
  },
  'keolis-rennes': {
    document: `<opendata><answer><data>
      <station><number>7</number><name>A</name><state>1</state><latitude>41.15</latitude><longitude>-8.6</longitude><bikesavailable>3</bikesavailable><slotsavailable>4</slotsavailable></station>
      <station><number>8</number><name>B</name><state>0</state><latitude>41.15</latitude><longitude>-8.6</longitude><bikesavailable>3</bikesavailable><slotsavailable>4</slotsavailable></station>
    </data></answer></opendata>`,
    station: { id: '7', name: 'A', ...at, bikesAvailable: 3, spacesAvailable: 4 },
  },
  vcub: {
    document: `<wfs:FeatureCollection xmlns:wfs="w" xmlns:bm="b" xmlns:gml="g"><gml:featureMember>
      <bm:CI_VCUB_P><bm:geometry><gml:Point><gml:pos>41.15 -8.6</gml:pos></gml:Point></bm:geometry><bm:GID>7</bm:GID><bm:NOM>A</bm:NOM><bm:TYPE>VLS+</bm:TYPE><bm:ETAT>DECONNECTEE</bm:ETAT><bm:NBPLACES>4</bm:NBPLACES><bm:NBVELOS>3</bm:NBVELOS></bm:CI_VCUB_P>
    </gml:featureMember></wfs:FeatureCollection>`,
    station: {
      id: '7',
      name: 'A',
      ...at,
      bikesAvailable: 3,
      spacesAvailable: 4,
      networks: ['VCUB+'],
      realTimeData: false,
    },
  },
  'next-bike': {
    document: `<markers><country><city>
      <place number="7" name="A" lat="41.15" lng="-8.6" bikes="5+" bike_racks="4"/>
      <place number="8" name="B" lat="41.15" lng="-8.6" bikes="1" bike="1"/>
    </city></country></markers>`,
    station: { id: '7', name: 'A', ...at, bikesAvailable: 5, spacesAvailable: 4 },
  },
  'ov-fiets': {
    document:
      '<kml><Document><Placemark><name>A</name><Point><coordinates>-8.6,41.15,0</coordinates></Point></Placemark></Document></kml>',
    station: { id: 'A-8.6,41.15,0', name: 'A', ...at },
  },
  kml: {
    document:
      '<kml><Document><Placemark><name>A B</name><Point><coordinates>-8.6,41.15</coordinates></Point></Placemark></Document></kml>',
    settings: { namePrefix: 'Bikes ' },
    station: {
      id: 'A_B[-8.600-41.150]',
      name: 'Bikes A B',
      ...at,
      bikesAvailable: 1,
      spacesAvailable: 1,
      realTimeData: false,
    },
  },
};

for (const [sourceType, { document, station, settings = {}, query = '', header }] of Object.entries(SAMPLES)) {
  test(`${sourceType}: stations in use, as the interface shows them`, async (t) => {
    const source = await startSource(t, { '/stations': document });
    const { stations } = await serveRental(t, { sourceType, url: `${source.url}/stations${query}`, ...settings });
    await until(async () => (await stations()).length > 0);
    const found = await stations();
    t.is(found.length, 1);
    t.like(found[0], { allowDropoff: true, realTimeData: true, ...station });
    if (header) t.is(source.requests[0]?.headers[header[0]], header[1]);
  });
}

test('stations may be asked for by a box, to which its corners belong', async (t) => {
  const source = await startSource(t, { '/stations': SAMPLES.jcdecaux?.document ?? '' });
  const { app, stations } = await serveRental(t, { sourceType: 'jcdecaux', url: `${source.url}/stations` });
  await until(async () => (await stations()).length > 0);
  for (const [lowerLeft, upperRight, found] of [
    ['41.15,-8.6', '41.15,-8.6', 1],
    ['41,-9', '42,-8', 1],
    ['41.16,-9', '42,-8', 0],
    ['41,-8.59', '42,-8', 0],
    ['41,-9', '41.14,-8', 0],
    ['41,-9', '42,-8.61', 0],
  ] as const) {
    const box = `lowerLeft=${lowerLeft}&upperRight=${upperRight}`;
    t.is((await app.json(`/routers/r/bike_rental?${box}`)).stations.length, found, box);
  }
  t.is(
    (await app.json('/routers/r/bike_rental?upperRight=0,0')).stations.length,
    1,
    'ignored without the other corner',
  );
  for (const query of ['lowerLeft=41,-9', 'lowerLeft=41&upperRight=42,-8', 'lowerLeft=41,-9&upperRight=x']) {
    t.is((await app.get(`/routers/r/bike_rental?${query}`)).status, 400, query);
  }
});

test('elements of XML may have attributes beside their texts', async (t) => {
  for (const sourceType of ['bixi', 'vcub', 'ov-fiets']) {
    const { document = '', station = {} } = SAMPLES[sourceType] ?? {};
    const source = await startSource(t, { '/bikes': document.replace(/<([\w:]+)>/g, '<$1 note="x">') });
    const { stations } = await serveRental(t, { sourceType, url: `${source.url}/bikes` });
    await until(async () => (await stations()).length === 1);
    t.like((await stations())[0], station, sourceType);
  }
});

test('texts between the elements of a station, and elements with nothing but attributes, do not matter', async (t) => {
  const bixi = SAMPLES.bixi?.document.replace(/<station>/g, '<station>x<lang name="fr"></lang>') ?? '';
  const source = await startSource(t, { '/bikes': bixi });
  const { stations } = await serveRental(t, { sourceType: 'bixi', url: `${source.url}/bikes` });
  await until(async () => (await stations()).length === 1);
  t.like((await stations())[0], SAMPLES.bixi?.station ?? {});
});

test('names in XML may have numeric character references', async (t) => {
  const bixi = SAMPLES.bixi?.document.replace('A &amp; B', 'Rue d&#39;&#xC9;t&#233; &amp;#233;') ?? '';
  const nextBike = SAMPLES['next-bike']?.document.replace('"A"', '"Stra&#223;e &quot;1&quot;"') ?? '';
  const source = await startSource(t, { '/bixi': bixi, '/next-bike': nextBike });
  const names = [];
  for (const sourceType of ['bixi', 'next-bike']) {
    const { stations } = await serveRental(t, { sourceType, url: `${source.url}/${sourceType}` });
    await until(async () => (await stations()).length === 1);
    names.push((await stations())[0]?.name);
  }
  t.deepEqual(names, ["Rue d'Été &#233;", 'Straße "1"']);
});

for (const [declared, encoding] of [
  ['ISO-8859-1', 'latin1'],
  ['UTF-8', 'utf8'],
  ['utf-16', 'utf8'],
  ['klingon', 'utf8'],
] as const) {
  test(`names of XML that declares ${declared} keep their letters`, async (t) => {
    const document = SAMPLES.bixi?.document.replace('?>', ` encoding="${declared}"?>`).replace('A &amp; B', 'Straße');
    const source = await startSource(t, { '/bikes': Buffer.from(document ?? '', encoding) });
    const { stations } = await serveRental(t, { sourceType: 'bixi', url: `${source.url}/bikes` });
    await until(async () => (await stations()).length === 1);
    t.is((await stations())[0]?.name, 'Straße');
  });
}

test('stations that a source no longer has disappear; a failed fetch keeps them', async (t) => {
  const rows = (ids: number[]) =>
    JSON.stringify(ids.map((id) => ({ id, name: '', lat: 41150000, lng: -8600000, bikes: 3, free: 4 })));
  const source = await startSource(t, { '/s': rows([1, 2]) });
  const { stations, status } = await serveRental(t, { sourceType: 'city-bikes', url: `${source.url}/s` });
  await until(async () => (await stations()).length === 2);
  source.answers['/s'] = '<html>maintenance</html>';
  await until(async () => (await status()).failures > 0);
  t.is((await stations()).length, 2);
  source.answers['/s'] = rows([2]);
  await until(async () => (await stations()).length === 1);
  t.is((await stations())[0].id, '2');
});

const NOT_STATIONS: Readonly<Record<string, string>> = {
  'sf-bay-area': '{"error":"too many requests"}',
  'city-bikes': 'null',
  bixi: '<html><body><p>maintenance</p></body></html>',
  kml: '<ServiceExceptionReport/>',
};

for (const [sourceType, answer] of Object.entries(NOT_STATIONS)) {
  test(`${sourceType}: an answer without a list of stations keeps them and says why`, async (t) => {
    const source = await startSource(t, { '/s': SAMPLES[sourceType]?.document ?? '' });
    const { stations, status } = await serveRental(t, { sourceType, url: `${source.url}/s` });
    await until(async () => (await stations()).length === 1);
    source.answers['/s'] = answer;
    await until(async () => (await status()).failures > 0);
    t.is((await stations()).length, 1);
    t.regex((await status()).lastError.message, /^no list of stations/);
  });
}

test('an empty list has no stations', async (t) => {
  const source = await startSource(t, { '/s': '[]', '/x': '<stations/>' });
  const { status } = await serveRental(t, { sourceType: 'city-bikes', url: `${source.url}/s` });
  const other = await serveRental(t, { sourceType: 'bixi', url: `${source.url}/x` });
  await until(async () => (await status()).runs > 1 && (await other.status()).runs > 1);
  t.deepEqual([(await status()).failures, (await other.status()).failures], [0, 0]);
});

test('rows that have no position or are not objects are left out, and the others are kept', async (t) => {
  const row = { id: 1, name: '', lat: 41150000, lng: -8600000, bikes: 3, free: 4 };
  const rows = [null, 7, { ...row, id: 2, lat: null }, { ...row, id: 3, lng: '' }, row];
  const source = await startSource(t, { '/s': JSON.stringify(rows) });
  const { stations, status } = await serveRental(t, { sourceType: 'city-bikes', url: `${source.url}/s` });
  await until(async () => (await status()).runs > 1);
  t.deepEqual(
    (await stations()).map(({ id }) => id),
    ['1'],
  );
});

test('stations that searches could not take over are read again, though the source has not changed', async (t) => {
  const { document = '' } = SAMPLES['city-bikes'] ?? {};
  const information = { data: { stations: [{ station_id: '7', name: 'A', lat: 41.15, lon: -8.6 }] } };
  const source = await startSource(t, {
    '/s': tagged(document),
    '/gbfs/station_information.json': tagged(JSON.stringify(information)),
    '/gbfs/station_status.json': tagged('{"data":{"stations":[]}}'),
  });
  for (const [sourceType, path] of [
    ['city-bikes', '/s'],
    ['gbfs', '/gbfs'],
  ]) {
    const graph = new FakeGraph();
    let tries = 0;
    graph.setRentalStations = async () => {
      tries += 1;
      if (tries === 1) throw new Error('busy');
      return [];
    };
    const { stations, status } = await serveRental(t, { sourceType, url: source.url + path }, graph);
    await until(async () => (await status()).runs > 2);
    t.deepEqual([tries, (await status()).failures], [2, 1], sourceType);
    t.like(await stations(), [{ id: '7' }], sourceType);
  }
});
