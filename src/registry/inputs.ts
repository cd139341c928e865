/** Which files of a directory a build reads, by name only. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileSha256 } from '../storage/file-hash.js';
import { GRAPH_FILE } from './graph-file.js';
import { leadsNowhere, regularFile } from './regular-file.js';

/** The role of a file of a graph directory in the build. */
export type InputKind = 'transit' | 'streets' | 'elevation' | 'graph' | 'config' | 'other';

/** Classifies a file by its name; only reading a zip shows whether it contains a feed. */
export function inputKind(name: string): InputKind {
  const lower = name.toLowerCase();
  if (lower.endsWith('.zip')) return 'transit';
  if (/\.(pbf|osm|osm\.xml|osm\.gz|osm\.xml\.gz)$/.test(lower)) return 'streets';
  if (lower.endsWith('.tif') || lower.endsWith('.tiff')) return 'elevation';
  if (name === GRAPH_FILE) return 'graph';
  if (name === 'build-config.json' || name === 'router-config.json') return 'config';
  return 'other';
}

/** Whether a directory holds anything that a graph can be built from. Rejects if it cannot be read. */
export function hasBuildInputs(directory: string): Promise<boolean> {
  return holds(directory, ['transit', 'streets']);
}

/** Whether a directory holds files of some kinds. Links to nothing do not count. Rejects if it cannot be read. */
export async function holds(directory: string, kinds: readonly InputKind[]): Promise<boolean> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  for (const name of names) {
    if (kinds.includes(inputKind(name)) && !(await leadsNowhere(path.join(directory, name)))) return true;
  }
  return false;
}

/** A file that a build reads. */
export interface InputFile {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * The files of a directory that a build reads, in the order of their names, as they are now; not links to nothing,
 * directories and pipes, which the build refuses.
 */
export async function inputFiles(directory: string): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const name of (await readdir(directory)).sort()) {
    if (['graph', 'other'].includes(inputKind(name))) continue;
    const file = path.join(directory, name);
    const stats = await regularFile(file);
    if (stats !== undefined) files.push({ name, bytes: stats.size, sha256: await fileSha256(file) });
  }
  return files;
}
