/** Jobs over the sample town for tests: descriptions, results, and a program that computes. */

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import type { PointSet } from '../../src/analysis/point-set.js';
import { EMPTY_ROUTER_CONFIG } from '../../src/config/router-config.js';
import { readJobDescription } from '../../src/http/resources/jobs/job-description.js';
import { newJob } from '../../src/http/resources/jobs/new-job.js';
import type { NewJob } from '../../src/jobs/jobs.js';
import { fileSha256 } from '../../src/storage/file-hash.js';
import type { BuiltGraph } from './built-graph.js';

/** `side` times `side` places over a town, [lat, lon]. */
export function placesOver({ graph }: BuiltGraph, side: number): [number, number][] {
  const { lowerLeftLatitude, upperRightLatitude, lowerLeftLongitude, upperRightLongitude } = graph.info();
  const between = (low: number, high: number, i: number) =>
    Number((low + ((high - low) * (i + 0.5)) / side).toFixed(6));
  return Array.from({ length: side * side }, (_, i) => [
    between(lowerLeftLatitude, upperRightLatitude, Math.floor(i / side)),
    between(lowerLeftLongitude, upperRightLongitude, i % side),
  ]);
}

/** The routing parameters of every job in the tests. */
export const ROUTING = { date: '2026-11-23', time: '8:00', mode: 'TRANSIT,WALK' };

/** A job from a description, as a server makes it. */
export async function jobOver(
  { graph, file }: BuiltGraph,
  description: Record<string, unknown>,
  { sets = {}, scenarios = {} }: { sets?: Record<string, PointSet>; scenarios?: Record<string, string> } = {},
): Promise<NewJob> {
  return newJob(readJobDescription(JSON.stringify({ routing: ROUTING, ...description })), {
    router: 'town',
    served: graph,
    config: EMPTY_ROUTER_CONFIG,
    graph: await fileSha256(file),
    pointSet: async (id) => sets[id],
    scenario: async (id) => scenarios[id],
  });
}

/** A row of a result. */
export type Row = Record<string, unknown>;

/** All rows of a result, in the order of its parts. */
export async function rowsOf(folder: string): Promise<Row[]> {
  const parts = path.join(folder, 'parts');
  const rows: Row[] = [];
  for (const name of (await readdir(parts)).sort()) {
    const file = await asyncBufferFromFile(path.join(parts, name));
    for (const row of await parquetReadObjects({ file })) rows.push(row);
  }
  return rows;
}

/** Hashes of the files of a result by their names, without those that tell who computed it and when. */
export async function hashesOf(folder: string): Promise<Record<string, string>> {
  const names = ['manifest.json', 'origins.csv'];
  for (const name of await readdir(path.join(folder, 'parts'))) names.push(`parts/${name}`);
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(path.join(folder, name)))
      .digest('hex');
  return Object.fromEntries(await Promise.all(names.sort().map(async (name) => [name, await hash(name)])));
}
