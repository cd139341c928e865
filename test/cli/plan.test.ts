/** What `trestle plan` says when there is no trip. */

import test from 'ava';
import { trestle } from '../support/command.js';
import { buildSmallFeed } from '../support/small-feed.js';

async function complaint(graph: string, ...trip: string[]): Promise<string> {
  return (await trestle(['plan', '--graph', graph, ...trip])).err;
}

test('a date without timetables is answered with their days', async (t) => {
  const town = await buildSmallFeed();
  t.teardown(() => town.remove());
  const err = await complaint(
    town.file,
    ...['--from', '1:a:1', '--to', '1:b 2', '--date', '2026-11-23', '--time', '8:00'],
  );
  t.regex(err, /^trestle: NO_TRANSIT_TIMES: .* \(2024-01-01 to 2024-12-31\); see --date\n$/);
});

test('a place that is not on the map is named', async (t) => {
  const town = await buildSmallFeed();
  t.teardown(() => town.remove());
  const to = await complaint(town.file, '--from', '1:a:1', '--to', '9.5,1.5');
  t.is(to, 'trestle: OUTSIDE_BOUNDS: a place is not on the map; see --to\n');
});

test('a place that is neither a coordinate nor a stop is shown as it was given', async (t) => {
  const town = await buildSmallFeed();
  t.teardown(() => town.remove());
  const to = await complaint(town.file, '--from', '1:a:1', '--to', 'Main Street');
  t.is(
    to,
    'trestle: OUTSIDE_BOUNDS: --to Main Street: expected a coordinate such as 48.0056,15.0306, or the id of a stop in the graph\n',
  );
});
