/**
 * Files that are being written: beside their target, under a name that says which process writes them, and
 * renamed once they are complete. What a killed process leaves is found by that name.
 */

import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renameOver } from './rename-over.js';
import { HEARTBEAT_MS, isOrphaned, WRITER, WRITER_PATTERN, writerIn } from './writer.js';

/** Such names: those made here, and those of graphs, which the engine writes. */
const UNFINISHED = [
  new RegExp(`^\\..+\\.tmp-${WRITER_PATTERN}-\\d+(?:\\.[a-z]+)?$`),
  new RegExp(`^Graph\\..*tmp-${WRITER_PATTERN}-\\d+$`),
];

let written = 0;

/**
 * A name for `target` while this process writes it. It keeps the extension, because some readers depend on it. Every
 * call returns another name.
 */
export function unfinishedName(target: string, extension = ''): string {
  const { dir, base } = path.parse(target);
  written += 1;
  return path.join(dir, `.${base}.tmp-${WRITER}-${written}${extension}`);
}

/**
 * A name for a graph while this process builds it: others may build it at the same time, and so may other servers in
 * this process. The engine puts its own unfinished name in the place of the extension, and the result is such a name too.
 */
export function unfinishedGraphName(graph: string): string {
  const { dir, name } = path.parse(graph);
  written += 1;
  return path.join(dir, `${name}.built-tmp-${WRITER}-${written}`);
}

/**
 * Replaces `target` by a file with this content, or by the one that a function writes or links. If that fails, `target` is
 * unchanged and nothing is left behind.
 */
export async function replaceContent(
  target: string,
  content: string | Uint8Array | ((file: string) => Promise<void>),
): Promise<void> {
  const unfinished = unfinishedName(target);
  try {
    if (typeof content === 'function') await content(unfinished);
    else await writeFile(unfinished, content, { flush: true });
    await renameOver(unfinished, target);
  } finally {
    // Renaming a file to another name of the same file does nothing, so the first name may still be there.
    await rm(unfinished, { force: true });
  }
}

/**
 * Removes the unfinished files in a directory whose writers have ended; a missing directory has none. `others` matches
 * other names of such files.
 */
export async function removeUnfinished(directory: string, others?: RegExp): Promise<void> {
  const patterns = others === undefined ? UNFINISHED : [...UNFINISHED, others];
  for (const name of await readdir(directory).catch(() => [])) {
    const writer = patterns.map((pattern) => writerIn(pattern.exec(name))).find((found) => found !== undefined);
    const file = path.join(directory, name);
    // Those of other users, or on a read-only disk, stay.
    if (writer !== undefined && (await isOrphaned(file, writer))) await rm(file, { force: true }).catch(() => {});
  }
}

/** Names of directories that processes make among the temporary files. */
const TEMPORARY = new RegExp(`^\\.trestle-tmp-${WRITER_PATTERN}-\\w{6}$`);

/**
 * A new directory among the temporary files. The caller removes it; if the process is killed, `removeTemporary` does.
 * Until then, its time shows processes of other places that this one is running.
 */
export async function makeTemporary(heartbeatMs = HEARTBEAT_MS): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), `.trestle-tmp-${WRITER}-`));
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(directory, now, now).catch(() => clearInterval(heartbeat));
  }, heartbeatMs).unref();
  return directory;
}

/** Removes the directories of `makeTemporary` whose processes have ended. */
export async function removeTemporary(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const maker = writerIn(TEMPORARY.exec(name));
    const directory = path.join(tmpdir(), name);
    if (maker === undefined || !(await isOrphaned(directory, maker))) continue;
    await removeIfPossible(directory);
  }
}

/** What cannot be removed, because another user made it or the disk is read-only, stays until a start that can. */
export async function removeIfPossible(file: string): Promise<void> {
  await rm(file, { recursive: true, force: true }).catch(() => {});
}

/**
 * Removes a file that this server has just closed. Windows removes no graph that is still open, and closing a large one
 * takes a moment.
 */
export async function removeClosed(file: string): Promise<void> {
  const maxRetries = process.platform === 'win32' ? 10 : 0;
  await rm(file, { recursive: true, force: true, maxRetries }).catch(() => {});
}
