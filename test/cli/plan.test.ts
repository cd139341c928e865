/** What `trestle plan` says when there is no trip. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { buildSmallFeed } from '../support/small-feed.js';

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

function complaint(graph: string, ...trip: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, 'plan', '--graph', graph, ...trip], (_error, _out, err) => resolve(err));
  });
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
  const to = await complaint(town.file, '--from', '1:a:1', '--to', '1:nowhere');
  t.is(to, 'trestle: OUTSIDE_BOUNDS: a place is not on the map; see --to\n');
});
