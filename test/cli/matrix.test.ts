/** `trestle matrix` over the sample town: both formats, and resuming after a kill. */

import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { watch } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { tableFromIPC } from 'apache-arrow';
import test from 'ava';
import { ResumableFile } from '../../src/cli/matrix/resumable-file.js';
import { loadAddon } from '../../src/native/addon.js';
import { builtBefore } from '../support/built-graph.js';
import { MAIN, trestle } from '../support/command.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { buildSmallFeed } from '../support/small-feed.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const town = builtBefore(test, buildSampleTown);

/** A CSV file of `side` times `side` places over the town. */
async function grid(directory: string, name: string, side: number): Promise<string> {
  const { lowerLeftLatitude, upperRightLatitude, lowerLeftLongitude, upperRightLongitude } = town.graph.info();
  const between = (low: number, high: number, i: number) => (low + ((high - low) * (i + 0.5)) / side).toFixed(6);
  const rows = Array.from({ length: side * side }, (_, i) => {
    const lat = between(lowerLeftLatitude, upperRightLatitude, Math.floor(i / side));
    return `p${i},${lat},${between(lowerLeftLongitude, upperRightLongitude, i % side)}`;
  });
  const file = path.join(directory, name);
  await writeFile(file, `id,lat,lon\n${rows.join('\n')}\n`);
  return file;
}

function command(args: readonly string[], date = '2026-11-23'): string[] {
  return ['matrix', ...args, '--graph', town.file, '--date', date, '--time', '8:00'];
}

const run = (args: readonly string[], date?: string) => trestle(command(args, date));

test('a file that cannot be read is named', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = await grid(directory, 'places.csv', 1);
  for (const file of [path.join(directory, 'missing.csv'), directory]) {
    const { code, err } = await run([places, file, '-o', path.join(directory, 'm.csv')]);
    t.is(code, 1);
    t.true(err.startsWith(`trestle: ${file} cannot be read: `), err);
  }
  const scenario = path.join(directory, 'missing.json');
  const { code, err } = await run([places, places, '-o', path.join(directory, 'm.csv'), '--scenario', scenario]);
  t.is(code, 1);
  t.true(err.startsWith(`trestle: ${scenario} cannot be read: `), err);
});

test('one origin is not many', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = await grid(directory, 'places.csv', 1);
  const { out } = await run([places, places, '-o', path.join(directory, 'm.csv')]);
  t.regex(out, /^1 origin in /);
});

test('a longest time out of range is refused by its option', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = await grid(directory, 'places.csv', 1);
  for (const time of ['0', '1.5', '86401', 'x']) {
    const { code, err } = await run([places, places, '-o', path.join(directory, 'm.csv'), '--maxTime', time]);
    t.is(code, 1);
    t.is(err, `trestle: --maxTime ${time}: expected whole seconds from 1 to 86400\n`);
  }
});

test('places outside the map are counted', async (t) => {
  const directory = await temporaryDirectory(t);
  const [inside, swapped] = [await grid(directory, 'in.csv', 2), path.join(directory, 'swapped.csv')];
  await writeFile(swapped, (await readFile(inside, 'utf8')).replace('lat,lon', 'lon,lat'));
  const { code, err } = await run([inside, swapped, '-o', path.join(directory, 'm.csv')]);
  t.is(code, 0);
  t.is(err.match(/outside the map/g)?.length, 1);
  t.true(err.includes(`${swapped}: 4 of 4 places are outside the map; are lat and lon swapped?`), err);
});

test('CSV and Arrow hold the same times', async (t) => {
  const directory = await temporaryDirectory(t);
  const [origins, destinations] = [await grid(directory, 'from.csv', 3), await grid(directory, 'to.csv', 5)];
  const [csv, arrow] = ['m.csv', 'm.arrow'].map((name) => path.join(directory, name)) as [string, string];
  for (const output of [csv, arrow]) t.is((await run([origins, destinations, '-o', output])).code, 0);
  const [header, ...lines] = (await readFile(csv, 'utf8')).trimEnd().split('\n');
  t.is(header?.split(',').length, 26);
  t.deepEqual(
    lines.map((line) => line.split(',')[0]),
    Array.from({ length: 9 }, (_, i) => `p${i}`),
  );
  const table = tableFromIPC(await readFile(arrow));
  t.is(table.numRows, 9 * 25);
  const times = lines.flatMap((line) =>
    line
      .split(',')
      .slice(1)
      .map((cell) => (cell === '' ? null : Number(cell))),
  );
  t.deepEqual([...(table.getChild('seconds') ?? [])], times);
  t.is(table.getChild('origin')?.get(26), 1);
  t.is(table.getChild('destination')?.get(26), 1);
  t.true(times.some((seconds) => seconds !== null && seconds > 60));
  t.deepEqual(
    (await readdir(directory)).sort(),
    ['from.csv', 'm.arrow', 'm.csv', 'to.csv'],
    'nothing is left beside it',
  );
});

test('vehicles run until the day ends in all time zones', async (t) => {
  const zones = `agency_id,agency_name,agency_url,agency_timezone
AG,East,http://a.example,Europe/Lisbon
WE,West,http://b.example,America/Los_Angeles`;
  const graph = await buildSmallFeed({ 'agency.txt': zones });
  t.teardown(graph.remove);
  const directory = await temporaryDirectory(t);
  const places = path.join(directory, 'places.csv');
  await writeFile(places, 'id,lat,lon\na,41,-8.6\n');
  const warned = async (time: string) => {
    const args = ['--graph', graph.file, '--date', '2025-01-01', '--time', time];
    return (await trestle(['matrix', places, places, '-o', path.join(directory, `${time}.csv`), ...args])).err;
  };
  t.false((await warned('07:59')).includes('outside the timetables'));
  t.true((await warned('08:00')).includes('2025-01-01 is outside the timetables (2024-01-01 to 2024-12-31)'));
});

test('the defaults that a graph was built with apply to matrices and jobs', async (t) => {
  const directory = await temporaryDirectory(t);
  const street = `<osm><node id="1" lat="41" lon="-8.6"/><node id="2" lat="41.002" lon="-8.6"/>
<way id="3"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/></way></osm>`;
  await writeFile(path.join(directory, 'map.osm'), street);
  const { Graph } = await loadAddon();
  const routerConfig = '{ routingDefaults: { walkSpeed: 0.1 } }';
  await Graph.build(directory, { routerConfig, islandWithoutStopsMaxSize: 0 });
  const places = path.join(directory, 'places.csv');
  await writeFile(places, 'id,lat,lon\na,41,-8.6\nb,41.002,-8.6\n');
  const [output, folder] = [path.join(directory, 'm.csv'), path.join(directory, 'job')];
  const walk = ['--graph', directory, '--mode', 'WALK'];
  t.is((await trestle(['matrix', places, places, ...walk, '-o', output, '--maxTime', '9999'])).code, 0);
  const [, , toB] = (await readFile(output, 'utf8')).split('\n')[1]?.split(',') ?? [];
  t.true(Number(toB) > 2000, '222 metres');
  t.is((await trestle(['job', 'matrix', places, places, ...walk, '--out', folder])).code, 0);
  t.is(JSON.parse(await readFile(path.join(folder, 'job.json'), 'utf8')).request.walkSpeed, 0.1);
});

test('a day without service is answered on foot, with a warning', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = await grid(directory, 'places.csv', 2);
  const output = path.join(directory, 'm.csv');
  const { code, err } = await run([places, places, '-o', output, '--maxWalkDistance', '9999'], '2035-05-05');
  t.is(code, 0);
  t.regex(err, /2035-05-05 is outside the timetables \(2026-01-01 to 2027-12-31\)/);
  t.regex(await readFile(output, 'utf8'), /^p0(,\d+){4}$/m);
});

test('a matrix that fails at once leaves nothing behind; one that fails later can be resumed', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const rows of [0, 1]) {
    const file = await ResumableFile.open(path.join(directory, 'm.csv'), 'question', false);
    await file.append(Buffer.from('origin,p0\n'), 0);
    if (rows > 0) await file.append(Buffer.from('p0,1\n'), rows);
    await file.interrupt();
    t.deepEqual((await readdir(directory)).sort(), rows > 0 ? ['m.csv', 'm.csv.progress'] : []);
  }
});

for (const name of ['m.csv', 'm.arrow']) {
  test(`${name}: killed and resumed, it is the same file`, async (t) => {
    const directory = await temporaryDirectory(t);
    const places = await grid(directory, 'places.csv', 40);
    const [whole, output] = [path.join(directory, `whole.${name}`), path.join(directory, name)];
    const child = spawn(process.execPath, [MAIN, ...command([places, places, '-o', output])]);
    const noted = async () =>
      Number(JSON.parse(await readFile(`${output}.progress`, 'utf8').catch(() => '{}')).done ?? 0);
    const folder = watch(directory);
    const changes = on(folder, 'change');
    while (child.exitCode === null && (await noted()) === 0) await changes.next();
    folder.close();
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    const done = await noted();
    t.true(done > 0 && done < 1600, `killed after ${done} of 1600 origins`);
    // Bytes that the kill may have left after the recorded part.
    await writeFile(output, 'torn', { flag: 'a' });
    t.is((await run([places, places, '-o', output, '--resume'])).code, 0);
    t.is((await run([places, places, '-o', whole])).code, 0);
    t.true((await readFile(output)).equals(await readFile(whole)));
  });
}

const inShell = process.platform === 'win32' ? test.skip : test;

inShell('what a full disk has cut off is written when the run is resumed', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = await grid(directory, 'places.csv', 16);
  const [whole, cut] = [path.join(directory, 'whole.csv'), path.join(directory, 'cut.csv')];
  t.is((await run([places, places, '-o', whole])).code, 0);
  // The limit is in the middle of what is written at once: the system writes the beginning of that.
  const blocks = Math.floor(((await stat(whole)).size * 0.55) / 512);
  const limited = ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', process.execPath, MAIN];
  const child = spawn('sh', [...limited, ...command([places, places, '-o', cut])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const err = await text(child.stderr);
  t.true(err.includes(`trestle: ${cut} cannot be written: `), err);
  t.is((await run([places, places, '-o', cut, '--resume'])).code, 0);
  t.deepEqual(await readFile(cut), await readFile(whole));
});

inShell('an output that cannot be resumed is refused', async (t) => {
  const places = await grid(await temporaryDirectory(t), 'places.csv', 1);
  const { code, err } = await run([places, places, '-o', '/dev/null']);
  t.is(code, 1);
  t.regex(err, /^trestle: \/dev\/null: the output has to be a file/m);
});

test('a file that was begun with other options is not resumed', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = await grid(directory, 'places.csv', 2);
  const output = path.join(directory, 'm.csv');
  await writeFile(output, 'origin\n');
  await writeFile(`${output}.progress`, JSON.stringify({ fingerprint: 'other', done: 0, bytes: 7 }));
  const { code, err } = await run([places, places, '-o', output, '--resume']);
  t.is(code, 1);
  t.regex(err, /another matrix/);
  t.is((await stat(output)).size, 7);
});

test('broken places are reported by their row', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = path.join(directory, 'places.csv');
  await writeFile(places, 'id,lat,lon\na,1,2\nb,x,2\n');
  const { code, err } = await run([places, places]);
  t.is(code, 1);
  t.regex(err, /places\.csv: row 3, latitude: "x" is not a coordinate/);
});
