/** What `trestle build` says about inputs with the mistakes that people find in them, and what it leaves as it was. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { PLACE, WRITER } from '../../src/storage/writer.js';
import { trestle } from '../support/command.js';
import { smallFeedZip } from '../support/small-feed.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { zip } from '../support/zip.js';

const build = (directory: string, ...args: string[]) => trestle(['build', directory, ...args]);

/** A street of 200 m in the north of Portugal. */
const street = (lat: number) => `<osm>
<node id="1" lat="${lat}" lon="-8.6"/><node id="2" lat="${lat + 0.002}" lon="-8.6"/>
<way id="3"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/></way></osm>`;

/** Makes a pipe that nobody writes to. */
const pipe = (file: string) => promisify(execFile)('mkfifo', [file]);

type Content = string | Buffer;

async function inputs(t: ExecutionContext, files: Record<string, Content | Promise<Content>>): Promise<string> {
  const directory = await temporaryDirectory(t);
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(directory, name), await content);
  return directory;
}

/** The issues of the report as `file:line: code`. */
async function issues(directory: string): Promise<string[]> {
  const report = JSON.parse(await readFile(path.join(directory, 'report/report.json'), 'utf8'));
  return report.issues.map(({ file, line, code }: Record<string, unknown>) => `${file}:${line}: ${code}`);
}

test('a build that fails names the file and keeps the previous graph', async (t) => {
  const directory = await inputs(t, { 'map.osm': street(41), 'feed.zip': smallFeedZip() });
  t.is((await build(directory)).code, 0);
  const graph = await readFile(path.join(directory, 'Graph.obj'));
  const feed = await zip({ 'stops.txt': 'stop_id\nA' });
  const nested = await zip({ 'feed/stops.txt': 'stop_id\nA', 'feed/stop_times.txt': 'x' });
  for (const [name, content, expected] of [
    ['feed.zip', feed, /feed\.zip: agency\.txt is missing/],
    ['feed.zip', nested, /feed\.zip: the tables are in the folder feed\/ of the archive/],
    ['feed.zip', Buffer.from('<html>'), /feed\.zip: not a readable zip archive/],
    ['map.osm', Buffer.from('<html>Too many requests</html>'), /map\.osm: .*not OpenStreetMap data/],
  ] as const) {
    const file = path.join(directory, name);
    await copyFile(file, `${file}.good`);
    await writeFile(file, content);
    const { code, err } = await build(directory);
    t.is(code, 255);
    t.regex(err, expected);
    t.deepEqual(await readFile(path.join(directory, 'Graph.obj')), graph);
    await copyFile(`${file}.good`, file);
    await rm(`${file}.good`);
  }
});

test('an archive of something else is skipped, as check says', async (t) => {
  const directory = await inputs(t, { 'map.osm': street(41), 'borders.zip': zip({ 'borders.shp': 'x' }) });
  const { code, err } = await build(directory);
  t.is(code, 0);
  t.true((await issues(directory)).includes('borders.zip:0: zip-without-feed'));
  t.regex(err, /^ {2}no trip could be read/m);
});

test('a map without streets is named, and so is one without the nodes of its streets', async (t) => {
  const directory = await inputs(t, { 'map.osm': street(41), 'feed.zip': smallFeedZip() });
  t.notRegex((await build(directory)).err, /no street/);
  const house = street(41).replace('highway', 'building');
  const withoutNodes = street(41).replaceAll(/<node [^>]*>/g, '');
  for (const map of [house, withoutNodes]) {
    await writeFile(path.join(directory, 'map.osm'), map);
    const { code, err } = await build(directory);
    t.is(code, 0);
    t.regex(err, /^ {2}no street could be read/m);
  }
  await rm(path.join(directory, 'map.osm'));
  t.notRegex((await build(directory)).err, /no street/);
});

test('without streets and a feed nothing is built, and the previous graph stays', async (t) => {
  const directory = await inputs(t, { 'feed.zip': smallFeedZip() });
  t.is((await build(directory)).code, 0, 'a feed alone is enough');
  const graph = await readFile(path.join(directory, 'Graph.obj'));
  await writeFile(path.join(directory, 'feed.zip'), await zip({ 'north.zip': await smallFeedZip() }));
  const { code, err } = await build(directory);
  t.is(code, 255);
  t.regex(err, /feed\.zip has no GTFS table at its root \(is it an archive of archives\?\)$/m);
  t.deepEqual(await readFile(path.join(directory, 'Graph.obj')), graph);
  const unpacked = await build(await inputs(t, { 'stop_times.txt': 'trip_id' }));
  t.is(unpacked.code, 255);
  t.regex(unpacked.err, /holds the unpacked tables of a feed; a build reads feeds as \*\.zip$/m);
});

test('what killed builds were writing is removed', async (t) => {
  const directory = await inputs(t, { 'feed.zip': smallFeedZip() });
  const output = path.join(directory, 'other', 'city (1).obj');
  await mkdir(path.dirname(output));
  for (const [graph, args] of [
    [path.join(directory, 'Graph.obj'), []],
    [output, ['--output', output]],
  ] as const) {
    const names = [`99999999-${PLACE}-0`, `${WRITER}-0`];
    const [left, written] = names.map((name) => graph.replace(/obj$/, `tmp-${name}`)) as [string, string];
    await writeFile(left, '');
    await writeFile(written, '');
    t.is((await build(directory, ...args)).code, 0);
    t.deepEqual([existsSync(left), existsSync(written)], [false, true]);
  }
});

test('an input that is a broken link is named', async (t) => {
  for (const name of ['map.osm', 'other.zip', 'heights.tif', 'build-config.json']) {
    const directory = await inputs(t, { 'feed.zip': smallFeedZip() });
    await symlink('moved', path.join(directory, name));
    const { code, err } = await build(directory);
    t.is(code, 255, name);
    const said = name.endsWith('.json') ? ' is a broken link' : ': it is a broken link (INPUT_UNREADABLE)';
    t.true(err.endsWith(`${path.join(directory, name)}${said}\n`), err);
  }
});

test('a directory or a pipe with the name of an input is named', async (t) => {
  for (const name of ['map.osm', 'other.zip', 'heights.tif']) {
    const directory = await inputs(t, { 'feed.zip': smallFeedZip() });
    const file = path.join(directory, name);
    for (const make of [mkdir, pipe]) {
      await make(file);
      const { code, err } = await build(directory);
      t.is(code, 255, name);
      t.true(err.endsWith(`${file}: it is not a regular file (INPUT_UNREADABLE)\n`), err);
      await rm(file, { recursive: true });
    }
  }
  const alone = await temporaryDirectory(t);
  await pipe(path.join(alone, 'feed.zip'));
  t.is((await build(alone)).code, 255, 'a pipe alone');
});

test('gzipped maps are inputs, also of the report', async (t) => {
  const directory = await inputs(t, { 'map.osm.gz': gzipSync(street(41)) });
  t.is((await build(directory)).code, 0);
  const report = JSON.parse(await readFile(path.join(directory, 'report/report.json'), 'utf8'));
  t.is(report.info.edges > 0, true);
  t.deepEqual(
    report.inputs.map(({ name }: { name: string }) => name),
    ['map.osm.gz'],
  );
});

test('stops without a street are named by id, name and file; if no stop has one, the likely cause is named', async (t) => {
  const directory = await inputs(t, { 'map.osm': street(45), 'feed.zip': smallFeedZip() });
  const { err } = await build(directory);
  t.regex(err, /no stop is near a walkable street: streets and timetables are of different places, /);
  // The map is one street.
  t.regex(err, /, or the map is so small that its streets count as an island \(street-island\)\n/);
  const report = JSON.parse(await readFile(path.join(directory, 'report/report.json'), 'utf8'));
  const messages = report.issues.map(({ file, message }: Record<string, unknown>) => `${file}: ${message}`);
  t.true(
    messages.includes(
      'feed.zip/stops.txt: stop 1:b 2 “Oak 100%” at 41.002000,-8.600000 has no walkable street within 1000 m',
    ),
    messages.join('\n'),
  );
});

test('a build names the days of the timetables, and says if they have ended', async (t) => {
  const directory = await inputs(t, { 'map.osm': street(41), 'feed.zip': smallFeedZip() });
  t.regex((await build(directory)).err, /^ {2}timetables from 2024-01-01 to 2024-12-31, which have ended$/m);
});

test('an unpacked feed is not silently ignored', async (t) => {
  const directory = await inputs(t, { 'map.osm': street(41), 'stop_times.txt': 'trip_id' });
  await mkdir(path.join(directory, 'feed'));
  await writeFile(path.join(directory, 'feed/stop_times.txt'), 'trip_id');
  t.is((await build(directory)).code, 0);
  t.deepEqual((await issues(directory)).slice(0, 2), ['feed:0: unknown-input', 'stop_times.txt:0: unknown-input']);
});
