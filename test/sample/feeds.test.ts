import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { writeSample } from '../../scripts/sample-town/index.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { type Rows, readFeed, seconds } from './support.js';

type Feed = Record<string, Rows>;

let village: string;
let feeds: readonly [city: Feed, region: Feed];

test.before(async () => {
  village = await mkdtemp(join(tmpdir(), 'trestle-feeds-'));
  await writeSample(village, { size: 'village' });
  const [city, region] = ['city', 'region'].map((id) => readFeed(join(village, `${id}.gtfs.zip`)));
  feeds = [await (city as Promise<Feed>), await (region as Promise<Feed>)];
});
test.after.always(() => rm(village, { recursive: true, force: true }));

function ids(rows: Rows | undefined, column: string): Set<string> {
  return new Set((rows ?? []).map((row) => row[column] as string));
}

/** Values of a column that are not among the ids of another table. */
function dangling(feed: Feed, table: string, column: string, target: string, key = column): string[] {
  const known = ids(feed[target], key);
  return [...ids(feed[table], column)].filter((id) => id !== '' && !known.has(id));
}

test('every reference of the feeds resolves', (t) => {
  for (const feed of feeds) {
    t.deepEqual(dangling(feed, 'stop_times', 'trip_id', 'trips'), []);
    t.deepEqual(dangling(feed, 'stop_times', 'stop_id', 'stops'), []);
    t.deepEqual(dangling(feed, 'stops', 'parent_station', 'stops', 'stop_id'), []);
    t.deepEqual(dangling(feed, 'trips', 'route_id', 'routes'), []);
    t.deepEqual(dangling(feed, 'trips', 'shape_id', 'shapes'), []);
    t.deepEqual(dangling(feed, 'routes', 'agency_id', 'agency'), []);
    t.deepEqual(dangling(feed, 'frequencies', 'trip_id', 'trips'), []);
    t.deepEqual(dangling(feed, 'transfers', 'from_stop_id', 'stops', 'stop_id'), []);
    t.deepEqual(dangling(feed, 'transfers', 'to_stop_id', 'stops', 'stop_id'), []);
    t.deepEqual(dangling(feed, 'pathways', 'from_stop_id', 'stops', 'stop_id'), []);
    t.deepEqual(dangling(feed, 'fare_rules', 'fare_id', 'fare_attributes'), []);
    t.deepEqual(dangling(feed, 'fare_rules', 'route_id', 'routes'), []);
    const services = new Set([...ids(feed.calendar, 'service_id'), ...ids(feed.calendar_dates, 'service_id')]);
    t.deepEqual(
      [...ids(feed.trips, 'service_id')].filter((id) => !services.has(id)),
      [],
    );
  }
});

test('ids are unique, trips call twice at least, and stop times never run backwards', (t) => {
  for (const feed of feeds) {
    for (const [table, column] of [
      ['stops', 'stop_id'],
      ['routes', 'route_id'],
      ['trips', 'trip_id'],
      ['pathways', 'pathway_id'],
    ] as const) {
      t.is(ids(feed[table], column).size, feed[table]?.length ?? 0);
    }
    const calls = new Map<string, number>();
    for (const row of feed.stop_times ?? [])
      calls.set(row.trip_id as string, (calls.get(row.trip_id as string) ?? 0) + 1);
    t.true((feed.trips ?? []).every((row) => (calls.get(row.trip_id as string) ?? 0) >= 2));
    let trip = '';
    let time = 0;
    let distance = 0;
    for (const row of feed.stop_times ?? []) {
      if (row.trip_id !== trip) [trip, time, distance] = [row.trip_id as string, 0, 0];
      t.true(seconds(row.arrival_time as string) >= time, `${trip} ${row.stop_sequence}`);
      t.true(seconds(row.departure_time as string) >= seconds(row.arrival_time as string));
      t.true(Number(row.shape_dist_traveled) >= distance);
      time = seconds(row.departure_time as string);
      distance = Number(row.shape_dist_traveled);
    }
  }
});

test('trips of a block run one after the other, and the next starts near where the last ended', (t) => {
  const [feed] = feeds;
  const spans = new Map<string, { first: Rows[number]; last: Rows[number] }>();
  for (const row of feed.stop_times ?? []) {
    const span = spans.get(row.trip_id as string);
    if (span) span.last = row;
    else spans.set(row.trip_id as string, { first: row, last: row });
  }
  const stops = new Map((feed.stops ?? []).map((row) => [row.stop_id, row]));
  const blocks = new Map<string, Rows>();
  for (const trip of feed.trips ?? [])
    if (trip.block_id) blocks.set(trip.block_id, [...(blocks.get(trip.block_id) ?? []), trip]);
  t.true(blocks.size > 20);
  for (const trips of blocks.values()) {
    t.is(trips.length, 2);
    const parts = trips.map((trip) => spans.get(trip.trip_id as string) as { first: Rows[number]; last: Rows[number] });
    parts.sort((a, b) => seconds(a.first.departure_time as string) - seconds(b.first.departure_time as string));
    const [before, after] = parts as [(typeof parts)[0], (typeof parts)[0]];
    t.true(seconds(after.first.departure_time as string) >= seconds(before.last.arrival_time as string));
    const [end, start] = [stops.get(before.last.stop_id), stops.get(after.first.stop_id)];
    const north = (Number(end?.stop_lat) - Number(start?.stop_lat)) * 111_195;
    const east = (Number(end?.stop_lon) - Number(start?.stop_lon)) * 74_400;
    t.true(Math.hypot(north, east) < 200, `${trips[0]?.trip_id}: ${Math.hypot(north, east)} m`);
  }
});

test('the feeds hold the modes and the optional files', (t) => {
  const [city, region] = feeds;
  t.deepEqual([...ids(city.routes, 'route_type')].sort(), ['0', '1', '3', '7']);
  t.deepEqual([...ids(region.routes, 'route_type')].sort(), ['2', '4', '6']);
  t.deepEqual([...ids(city.transfers, 'transfer_type')].sort(), ['0', '2', '3']);
  t.deepEqual([...ids(region.transfers, 'transfer_type')], ['1']);
  t.deepEqual([...ids(city.frequencies, 'exact_times')].sort(), ['0', '1']);
  t.deepEqual([...ids(city.stops, 'location_type')].sort(), ['0', '1', '2']);
  t.true((city.pathways?.length ?? 0) > 0);
  t.true((city.stop_times ?? []).some((row) => seconds(row.departure_time as string) > 25 * 3600));
  t.true((city.stop_times ?? []).some((row) => row.stop_headsign !== ''));
  t.true((city.trips ?? []).some((row) => row.wheelchair_accessible === '2'));
});

test('the days served follow the option', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeSample(directory, { size: 'village', period: { from: '2019-05-01', to: '2019-05-31' } });
  const feed = await readFeed(join(directory, 'city.gtfs.zip'));
  t.deepEqual([...ids(feed.calendar, 'start_date')], ['20190501']);
  t.deepEqual([...ids(feed.calendar, 'end_date')], ['20190531']);
  t.true([...ids(feed.calendar_dates, 'date')].every((date) => date.startsWith('201905')));
});

test('the point set has integer counts for coordinates of the town', async (t) => {
  const [header, ...lines] = (await readFile(join(village, 'pointsets', 'town.csv'), 'utf8')).trim().split('\n');
  t.is(header, 'lat,lon,population,jobs:retail,jobs:office,schools');
  t.true(lines.length > 100);
  for (const line of lines) t.regex(line, /^\d+\.\d{6},\d+\.\d{6},\d+,\d+,\d+,\d$/);
});
