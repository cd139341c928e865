/** `trestle job`: killed at any moment and started again, it makes the same files. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { builtBefore } from '../support/built-graph.js';
import { MAIN, trestle } from '../support/command.js';
import { hashesOf, placesOver } from '../support/job-town.js';
import { buildSampleTown } from '../support/sample-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const town = builtBefore(test, buildSampleTown);

function command(args: readonly string[]): string[] {
  return ['job', ...args, '--graph', town.file, '--date', '2026-11-23', '--time', '8:00'];
}

const run = (args: readonly string[]) => trestle(command(args));

async function writePlaces(directory: string, side: number): Promise<string> {
  const file = path.join(directory, `places-${side}.csv`);
  const rows = placesOver(town, side).map(([lat, lon], i) => `p${i},${lat},${lon}`);
  await writeFile(file, `id,lat,lon\n${rows.join('\n')}\n`);
  return file;
}

test('a job that is killed and started again has the same complete result', async (t) => {
  const directory = await temporaryDirectory(t);
  const [origins, destinations] = [await writePlaces(directory, 20), await writePlaces(directory, 10)];
  const [whole, out] = [path.join(directory, 'whole'), path.join(directory, 'out')];
  const job = (folder: string) => ['matrix', origins, destinations, '--partOrigins', '1', '--out', folder];
  for (const parts of [1, 20, 90]) {
    const child = spawn(process.execPath, [MAIN, ...command(job(out))]);
    const made = async () => (await readdir(path.join(out, 'parts')).catch(() => [])).length;
    await until(async () => (await made()) >= parts || child.exitCode !== null);
    child.kill('SIGKILL');
    await once(child, 'close');
    t.true((await made()) < 400, 'killed before the end');
  }
  const again = await run(job(out));
  t.is(again.code, 0, again.err);
  t.regex(again.out, /^400 of 400 origins, /);
  t.is((await run(job(whole))).code, 0);
  t.deepEqual(await hashesOf(out), await hashesOf(whole));
});

test('a folder with another job is refused, and so are options that make no sense', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = await writePlaces(directory, 3);
  const out = path.join(directory, 'out');
  t.is((await run(['isochrones', places, '--cutoffSec', '600', '--out', out])).code, 0);
  const other = await run(['isochrones', places, '--cutoffSec', '900', '--out', out]);
  t.is(other.code, 1);
  t.regex(other.err, /holds another job/);
  const wrong = await run(['isochrones', places, '--cutoffSec', 'soon', '--out', path.join(directory, 'wrong')]);
  t.is(wrong.code, 1);
  t.regex(wrong.err, /cutoffSec/);
});

test('a file of places that cannot be read is named', async (t) => {
  const directory = await temporaryDirectory(t);
  const places = await writePlaces(directory, 1);
  const [missing, wrong] = [path.join(directory, 'missing.csv'), path.join(directory, 'wrong.csv')];
  await writeFile(wrong, 'id,name\np0,Town\n');
  for (const file of [missing, directory, wrong]) {
    const { code, err } = await run(['matrix', places, file, '--out', path.join(directory, 'out')]);
    t.is(code, 1);
    t.true(err.startsWith(`trestle: ${file}`), err);
  }
});
