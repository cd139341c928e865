/**
 * Graph files on disk: where they are, and replacing them so that a crash leaves either the old or the new one
 * complete.
 */

import { link, open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../storage/directory.js';
import { renameOver } from '../storage/rename-over.js';
import { removeUnfinished, replaceContent } from '../storage/unfinished.js';
import { unlessMissing } from '../storage/unless-missing.js';

/** Name of a built graph in its router's directory. */
export const GRAPH_FILE = 'Graph.obj';

/** End of the name of a directory of scenarios. */
export const SCENARIOS = '.scenarios';

/** Directory of a router's files; the empty id is the graphs directory itself. The id must be legal. */
export function routerDirectory(graphs: string, routerId: string): string {
  return path.join(graphs, routerId);
}

/** Directory of the scenarios that belong to a graph file: beside it, under a name that no router can have. */
export function scenarioDirectory(graphFile: string): string {
  const { dir, name } = path.parse(graphFile);
  return path.join(dir, name + SCENARIOS);
}

/**
 * Replaces `target` by `fresh`, both on one file system. The bytes of `fresh` are written to disk before it gets its
 * new name; the previous file stays as `<target>.bak`. A crash at any moment leaves a complete file under `target`.
 */
export async function replaceFile(fresh: string, target: string): Promise<void> {
  await sync(fresh, 'r+');
  await keepBackup(target);
  await renameOver(fresh, target);
  // Windows cannot wait for the names in a directory.
  if (process.platform !== 'win32') await sync(path.dirname(target), 'r');
}

/**
 * Moves an uploaded graph file to `<graphs>/<id>/Graph.obj`, making the directory. Only one save of a router at a time.
 */
export async function saveGraphFile(uploaded: string, graphs: string, routerId: string): Promise<void> {
  const directory = routerDirectory(graphs, routerId);
  await makeDirectory(directory);
  await removeUnfinished(directory);
  await sync(uploaded, 'r+');
  await noteUpload(uploaded, directory);
  await replaceFile(uploaded, path.join(directory, GRAPH_FILE));
}

/** Name of a note beside a graph file that says which state of it was uploaded. */
const UPLOAD_NOTE = 'Graph.uploaded.json';

/** Modification time and size of a graph file. */
export interface FileVersion {
  readonly mtimeMs: number;
  readonly size: number;
}

/** Undefined when the file is not there. */
export async function fileVersion(file: string): Promise<FileVersion | undefined> {
  try {
    const { mtimeMs, size } = await stat(file);
    return { mtimeMs, size };
  } catch {
    return undefined;
  }
}

/** Whether a file was the same, or missing, both times that it was looked at. */
export function isSameVersion(a: FileVersion | undefined, b: FileVersion | undefined): boolean {
  return a?.mtimeMs === b?.mtimeMs && a?.size === b?.size;
}

/** Whether the graph file with this modification time and size was uploaded; one built later in its place was not. */
export async function isUploaded(file: string, version: FileVersion | undefined): Promise<boolean> {
  const note = await readFile(path.join(path.dirname(file), UPLOAD_NOTE), 'utf8').catch(() => undefined);
  return note !== undefined && version !== undefined && note === JSON.stringify(version);
}

/**
 * Notes that the graph file `uploaded` is about to be moved into `directory`; undefined stands for a graph that was not
 * uploaded. The note is written before the graph is moved, so that a crash between the two leaves no upload
 * without its note.
 */
export async function noteUpload(uploaded: string | undefined, directory: string): Promise<void> {
  const note = path.join(directory, UPLOAD_NOTE);
  if (uploaded === undefined) await rm(note, { force: true });
  else await replaceContent(note, JSON.stringify(await fileVersion(uploaded)));
}

/** The backup is a second name of the same file, so `target` is never missing. */
async function keepBackup(target: string): Promise<void> {
  await replaceContent(`${target}.bak`, (name) => link(target, name)).catch(unlessMissing);
}

async function sync(fileOrDirectory: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(fileOrDirectory, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
