import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { describeInput, UnusableInput } from '../../src/registry/input-check.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { zip } from '../support/zip.js';

async function describe(t: ExecutionContext, name: string, content: string | Buffer): Promise<string> {
  const file = path.join(await temporaryDirectory(t), name);
  await writeFile(file, content);
  return describeInput(file, name);
}

const TABLES = ['agency.txt', 'stops.txt', 'routes.txt', 'trips.txt', 'stop_times.txt', 'calendar.txt'];
const feed = (tables: readonly string[]) => zip(Object.fromEntries(tables.map((table) => [table, 'x'])));

test('a feed is recognized by its tables', async (t) => {
  t.is(await describe(t, 'feed.zip', await feed(TABLES)), 'GTFS feed of 6 tables, 0.0 MB');
  t.regex(await describe(t, 'other.zip', await zip({ 'a.csv': '' })), /^no GTFS feed/);
  await t.throwsAsync(describe(t, 'feed.zip', await feed(TABLES.slice(1, 5))), {
    instanceOf: UnusableInput,
    message: 'GTFS feed without agency.txt, calendar.txt or calendar_dates.txt',
  });
  await t.throwsAsync(describe(t, 'feed.zip', await feed(TABLES.slice(0, 4))), { message: /without stop_times\.txt/ });
  await t.throwsAsync(describe(t, 'feed.zip', await feed(TABLES.map((table) => `city/${table}`))), {
    instanceOf: UnusableInput,
    message: 'the tables are in the folder city/ of the archive and have to be at its root',
  });
  const folders = ['b', 'a', 'c'].flatMap((folder) => TABLES.map((table) => `${folder}/${table}`));
  await t.throwsAsync(describe(t, 'feed.zip', await feed(folders)), {
    message: /^the tables are in the folder b\/ of/,
  });
  await t.throwsAsync(describe(t, 'feed.zip', await feed(TABLES.map((table) => table.toUpperCase()))), {
    instanceOf: UnusableInput,
    message: 'the tables have to be named in lower case: stop_times.txt instead of STOP_TIMES.TXT',
  });
  await t.throwsAsync(describe(t, 'feed.zip', 'no zip'), { instanceOf: UnusableInput, message: /^not a readable zip/ });
});

test('bytes after the archive do not matter, as in a build', async (t) => {
  const archive = await feed(TABLES);
  const page = (length: number) => Buffer.from(`\r\n<!DOCTYPE html>PK\x05\x06${' '.repeat(length)}`);
  for (const after of ['PK', page(0), page(100), page(100_000)]) {
    const found = await describe(t, 'feed.zip', Buffer.concat([archive, Buffer.from(after)]));
    t.regex(found, /^GTFS feed of 6 tables/, `${after.length} bytes`);
  }
});

test('tables that a build cannot read are named', async (t) => {
  const all = Object.fromEntries(TABLES.map((table) => [table, 'x']));
  const utf16 = Buffer.from('\uFEFFstop_id,stop_lat\n', 'utf16le');
  const check = async (tables: Record<string, string | Buffer>) =>
    describe(t, 'feed.zip', await zip({ ...all, ...tables }));
  await t.throwsAsync(check({ 'stops.txt': '\uFEFF\n', 'trips.txt': utf16 }), {
    instanceOf: UnusableInput,
    message:
      'GTFS feed without stops.txt, trips.txt; stops.txt is empty; trips.txt is in UTF-16 and has to be in UTF-8',
  });
  await t.throwsAsync(check({ 'calendar.txt': '' }), {
    message: 'GTFS feed without calendar.txt or calendar_dates.txt; calendar.txt is empty',
  });
  t.is(
    await check({ 'trips.txt': 'route_id,a\0b\n', 'shapes.txt': utf16.swap16(), 'calendar_dates.txt': '' }),
    'GTFS feed of 8 tables (left out by the build: shapes.txt is in UTF-16 and has to be in UTF-8; calendar_dates.txt is empty), 0.0 MB',
  );
});

test('streets and elevation are recognized by their first bytes', async (t) => {
  const header = Buffer.concat([Buffer.from([0, 0, 0, 13, 10, 9]), Buffer.from('OSMHeader'), Buffer.alloc(8)]);
  t.is(await describe(t, 'a.osm.pbf', header), 'OpenStreetMap PBF, 0.0 MB');
  t.is(await describe(t, 'a.osm.gz', Buffer.from([0x1f, 0x8b, 8])), 'OpenStreetMap, gzipped, 0.0 MB');
  t.is(await describe(t, 'a.osm', '\n<?xml version="1.0"?><osm/>'), 'OpenStreetMap XML, 0.0 MB');
  t.is(await describe(t, 'a.tif', 'II*\0'), 'elevation, 0.0 MB');
  for (const name of ['a.pbf', 'a.osm', 'a.osm.xml', 'a.tiff']) {
    await t.throwsAsync(describe(t, name, 'x'), { instanceOf: UnusableInput }, name);
    await t.throwsAsync(describe(t, name, ''), { instanceOf: UnusableInput }, `empty ${name}`);
  }
});
