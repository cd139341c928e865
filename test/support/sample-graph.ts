/** A small town built by the addon, for tests that need a real graph. */

import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type BuiltGraph, buildGraph, openBuilt } from './built-graph.js';

/** Where the files of a run of tests share the town (`ava.config.js`). */
const SHARED = process.env.TEST_TOWNS;
const REPORT = 'report';

/** The same village every time: the first file of tests builds it, and those after it copy what that one built. */
export async function buildSampleTown(): Promise<BuiltGraph> {
  if (!SHARED) return buildUnsharedTown();
  const kept = path.join(SHARED, 'village');
  if (!existsSync(kept)) return buildAndKeep(SHARED, kept);
  const directory = await mkdtemp(path.join(tmpdir(), 'trestle-graph-'));
  await cp(kept, directory, { recursive: true, preserveTimestamps: true });
  const report = deserialize(await readFile(path.join(directory, REPORT)));
  await rm(path.join(directory, REPORT));
  return openBuilt(directory, { ...report, path: path.join(directory, path.basename(report.path)) });
}

/** The same village, certainly built by the caller. */
export async function buildUnsharedTown(): Promise<BuiltGraph> {
  // Most files of tests only copy the town.
  const { writeSample } = await import('../../scripts/sample-town/index.js');
  return buildGraph((directory) => writeSample(directory, { seed: 1, size: 'village' }));
}

/** Test files run at the same time: the town of the first one to finish is kept. */
async function buildAndKeep(shared: string, kept: string): Promise<BuiltGraph> {
  const town = await buildUnsharedTown();
  const unfinished = await mkdtemp(path.join(shared, 'unfinished-'));
  await cp(path.dirname(town.file), unfinished, { recursive: true, preserveTimestamps: true });
  // Copies keep whole seconds exactly, and a graph must not be older than its inputs.
  const buildTime = Math.ceil(town.report.info.buildTime);
  await utimes(path.join(unfinished, path.basename(town.file)), buildTime, buildTime);
  const report = { ...town.report, info: { ...town.report.info, buildTime } };
  await writeFile(path.join(unfinished, REPORT), serialize(report));
  await rename(unfinished, kept).catch(() => rm(unfinished, { recursive: true }));
  return town;
}
