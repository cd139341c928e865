/**
 * For any text, a reader of outside input returns a value or throws its own error that says what is wrong, and no other
 * error. `FUZZ_SECONDS` sets how long every reader is tried, instead of two hundred times.
 */

import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { readPatchSet, UnusablePatch } from '../src/alerts/patch-input.js';
import { readCsvPoints } from '../src/analysis/csv-points.js';
import { readGeoJsonPoints } from '../src/analysis/geo-json-points.js';
import { PointSetError } from '../src/analysis/point-set.js';
import { parseBuildConfig } from '../src/config/build-config.js';
import { ConfigError } from '../src/config/diagnostic.js';
import { parseRouterConfig } from '../src/config/router-config.js';
import { JSON_SOURCES } from '../src/updaters/bike-sources/json-sources.js';
import { XML_SOURCES } from '../src/updaters/bike-sources/xml-sources.js';
import type { RentalStation } from '../src/updaters/rental-station.js';

const seconds = Number(process.env.FUZZ_SECONDS ?? 0);

/** Tries texts in batches, with pauses in which the test runner sees that the test is alive. */
async function tryTexts(t: ExecutionContext, texts: fc.Arbitrary<string>, attempt: (text: string) => unknown) {
  t.timeout((seconds + 300) * 1000);
  const end = Date.now() + seconds * 1000;
  do {
    await setTimeout(1);
    const property = fc.asyncProperty(texts, async (text) => {
      await attempt(text);
    });
    await fc.assert(property, { numRuns: 200 });
  } while (Date.now() < end);
  t.pass();
}

/** Pieces with a meaning in one of the formats. */
const WORDS = [
  ...['{', '}', '[', ']', ',', ':', '"', "'", '//', '/*', '\n', '\r\n', '\0', '\\u0000', ' ', '<', '>', '</', '/>'],
  ...['&amp;', '&#x0;', '<![CDATA[', '<!--', '<?xml', '<!DOCTYPE a [<!ENTITY b "c">]>', '&b;', 'null', 'true'],
  ...['-1', '0', '1e309', '-0', 'NaN', '9999999999999999999', '0x10', '91', '-181', '__proto__', 'constructor'],
  ...['lat', 'lon', 'type', 'features', 'geometry', 'coordinates', 'Point', 'Polygon', 'updaters', 'id'],
];

/** One of the seeds after some edits: pieces removed, repeated and inserted. */
function damaged(seeds: readonly string[]): fc.Arbitrary<string> {
  const inserted = fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 6, unit: 'binary' }));
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), removed: fc.nat(20), inserted });
  return fc.tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 6 })).map(([seed, edits]) =>
    edits.reduce((text, { at, removed, inserted }) => {
      const place = Math.floor(at * text.length);
      return text.slice(0, place) + inserted + text.slice(place + removed);
    }, seed),
  );
}

interface Reader {
  readonly seeds: readonly string[];
  readonly read: (text: string) => unknown;
  readonly refuses: abstract new (...args: never[]) => Error;
}

const PATCHES = JSON.stringify({
  alertPatches: [
    {
      id: 'a',
      route: '1:R',
      timePeriods: [{ startTime: 1, endTime: 2 }],
      alert: { alertHeaderText: { translations: { entry: [{ key: 'en', value: 'Late' }] } } },
    },
  ],
});

const READERS: Readonly<Record<string, Reader>> = {
  'router-config.json': {
    seeds: [
      `{ routingDefaults: { walkSpeed: 1.3, "optimize": 'SAFE' }, timeouts: [5, 4],
         updaters: [{ type: "bike-rental", sourceType: "gbfs", url: "http://a.example", frequencySec: 60 }] }`,
    ],
    read: (text) => parseRouterConfig(text, 'router-config.json'),
    refuses: ConfigError,
  },
  'build-config.json': {
    seeds: [
      '{ maxTransferDistance: 500, osmWayPropertySet: "norway", fares: { combinationStrategy: "additive", fares: ["seattle"] } }',
    ],
    read: (text) => parseBuildConfig(text, 'build-config.json'),
    refuses: ConfigError,
  },
  'a CSV point set': {
    seeds: ['lat,lon,jobs\n41.1,-8.6,7\n41.2,-8.5,"-2"\n'],
    read: (text) => readCsvPoints(Readable.from([text])),
    refuses: PointSetError,
  },
  'a GeoJSON point set': {
    seeds: [
      '{"type":"FeatureCollection","properties":{"id":"t","schema":{"w":{"label":"W"}}},"features":[{"id":1,' +
        '"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,0]]]},"properties":{"structured":{"w":3}}}]}',
      '{"features":[{"geometry":{"type":"Point","coordinates":[-8.6,41.1]},"properties":{"structured":{"w":1}}}]}',
    ],
    read: (text) => readGeoJsonPoints(text),
    refuses: PointSetError,
  },
  'alert patches in JSON': { seeds: [PATCHES], read: (text) => readPatchSet(text, false), refuses: UnusablePatch },
  'alert patches in XML': {
    seeds: [
      '<AlertPatchSet><AlertPatch id="a"><id>a</id><route>1:R</route><timePeriods><timePeriod><startTime>1</startTime>' +
        '</timePeriod></timePeriods></AlertPatch></AlertPatchSet>',
    ],
    read: (text) => readPatchSet(text, true),
    refuses: UnusablePatch,
  },
};

for (const [name, { seeds, read, refuses }] of Object.entries(READERS)) {
  test.serial(`${name}: any text is read or refused`, async (t) => {
    for (const seed of seeds) await t.notThrowsAsync(async () => read(seed), seed);
    const attempt = async (text: string) => {
      try {
        await read(text);
      } catch (error) {
        if (!(error instanceof refuses)) throw error;
      }
    };
    await tryTexts(t, fc.oneof(damaged(seeds), fc.json(), fc.string()), attempt);
  });
}

const isPlaced = ({ lat, lon }: RentalStation) => Math.abs(lat) <= 90 && Math.abs(lon) <= 180;

for (const [name, source] of [...Object.entries(JSON_SOURCES), ...Object.entries(XML_SOURCES)]) {
  test.serial(`bikes of ${name}: any document gives stations with a place, or an error`, async (t) => {
    const documents = fc.oneof(
      fc.json(),
      damaged(['<a><station><id>1</id><lat>1</lat><long>2</long></station></a>', '[{"id":1,"lat":1,"lng":2}]']),
    );
    const attempt = (text: string) => {
      let stations: RentalStation[] = [];
      try {
        stations = source(text, { systemId: 'town' });
      } catch (error) {
        t.true(error instanceof Error);
      }
      for (const station of stations) t.true(isPlaced(station), text);
    };
    await tryTexts(t, documents, attempt);
  });
}
