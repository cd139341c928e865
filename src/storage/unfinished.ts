/**
 * Files that are being written: beside their target, under a name with the number of the writing process, and renamed
 * once they are complete. What a killed process leaves is found by that name.
 */

import { mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Such names, with the number of the process: those made here, and those of graphs, which the engine writes. */
const UNFINISHED = /^(?:\..+\.tmp-(\d+)-\d+(?:\.[a-z]+)?|Graph\..*tmp-(\d+))$/;

/** When this process started, milliseconds since 1970. */
const STARTED = Date.now() - process.uptime() * 1000;

let written = 0;

/**
 * A name for `target` while this process writes it. It keeps the extension, because some readers depend on it. Every
 * call returns another name.
 */
export function unfinishedName(target: string, extension = ''): string {
  const { dir, base } = path.parse(target);
  written += 1;
  return path.join(dir, `.${base}.tmp-${process.pid}-${written}${extension}`);
}

/**
 * Replaces `target` by a file with this content, or by the one that a function writes. If that fails, `target` is
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
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/**
 * Removes the unfinished files in a directory whose writers have ended; a missing directory has none. `others` matches
 * other names of such files, those of one graph or of earlier versions, with the number of the process if it is in the
 * name; without a number, files older than this process have no writer any more.
 */
export async function removeUnfinished(directory: string, others?: RegExp): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const found = UNFINISHED.exec(name) ?? others?.exec(name);
    if (!found) continue;
    const file = path.join(directory, name);
    const writer = Number(found[1] ?? found[2] ?? process.pid);
    if (await isOrphaned(file, writer)) await rm(file, { force: true });
  }
}

/** Names of directories that processes make among the temporary files, with the number of the process. */
const TEMPORARY = /^\.trestle-tmp-(\d+)-\w{6}$/;

/**
 * A new directory among the temporary files. The caller removes it; if the process is killed, `removeTemporary` does.
 */
export function makeTemporary(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), `.trestle-tmp-${process.pid}-`));
}

/** Removes the directories of `makeTemporary` whose processes have ended. */
export async function removeTemporary(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const maker = TEMPORARY.exec(name)?.[1];
    const directory = path.join(tmpdir(), name);
    if (maker === undefined || !(await isOrphaned(directory, Number(maker)))) continue;
    // The directories of other users stay.
    await rm(directory, { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * Whether the process that wrote a file has ended. In a container every start has the same process numbers; there,
 * files older than this process were written by an earlier process with its number.
 */
export async function isOrphaned(file: string, writer: number): Promise<boolean> {
  if (writer !== process.pid) return !isProcessAlive(writer);
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs < STARTED;
}

/** Whether a process of this machine is running. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
