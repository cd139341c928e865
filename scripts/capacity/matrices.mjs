// Measures jobs that compute matrices.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { MAIN } from '../started-server.mjs';
import { round, say } from './report.mjs';

/** Origins and destinations of the matrices. Costs are calculated from the first two and have to predict the third. */
const ORIGINS = 300;
const DESTINATIONS = [500, 20_000, 8000];

async function bytesIn(folder) {
  const sizes = await Promise.all((await readdir(folder)).map((name) => stat(path.join(folder, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** Computes a matrix from the first places to those after them, in one process with all processors. */
async function makeMatrix({ directory, graph, date, places, destinations }) {
  const file = async (name, from, count) => {
    const rows = places.slice(from, from + count).map(({ lat, lon }, i) => `p${i},${lat},${lon}`);
    await writeFile(path.join(directory, name), `id,lat,lon\n${rows.join('\n')}\n`);
    return name;
  };
  const ends = [await file('origins.csv', 0, ORIGINS), await file('destinations.csv', ORIGINS, destinations)];
  const out = `matrix-${destinations}`;
  const args = ['job', 'matrix', ...ends, '--graph', graph, '--date', date, '--time', '8:00', '--out', out];
  await promisify(execFile)(process.execPath, [MAIN, ...args, '--partOrigins', '15'], { cwd: directory });
  const { started, ended } = JSON.parse(await readFile(path.join(directory, out, 'status.json'), 'utf8'));
  const bytes = await bytesIn(path.join(directory, out, 'parts'));
  await rm(path.join(directory, out), { recursive: true });
  return { seconds: (Date.parse(ended) - Date.parse(started)) / 1000, bytes };
}

/** Computes a matrix three times, and returns the run with the median time. */
async function measureMatrix(matrix) {
  const { destinations } = matrix;
  say(`a matrix of ${ORIGINS} by ${destinations}`);
  const made = [];
  for (let run = 0; run < 3; run += 1) made.push(await makeMatrix(matrix));
  const [, median] = made.sort((a, b) => a.seconds - b.seconds);
  return {
    origins: ORIGINS,
    destinations,
    seconds: round(median.seconds, 4),
    bytesPerPair: round(median.bytes / (ORIGINS * destinations)),
  };
}

/** The matrices between places near the starts of trips. */
export async function measureMatrices({ graph, date, paths }) {
  const starts = paths.map((target) => {
    const [lat, lon] = new URL(target, 'http://x').searchParams.get('fromPlace').split(',').map(Number);
    return { lat, lon };
  });
  // As many places as the largest matrix needs.
  const places = [0, 1, 2, 3, 4, 5].flatMap((i) => starts.map(({ lat, lon }) => ({ lat: lat + i * 0.0004, lon })));
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-capacity-'));
  try {
    const measured = [];
    for (const destinations of DESTINATIONS) {
      measured.push(await measureMatrix({ directory, graph, date, places, destinations }));
    }
    return measured;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
