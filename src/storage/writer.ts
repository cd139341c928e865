/** Which process writes a file: its number, and where that number means this process. */

import { readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * The place of this process: where its number means this process, and no other. It is a container, or a machine since its
 * start; containers that share a folder give the same numbers to different processes. On systems that tell neither, all
 * processes have one place. The engine makes the same name for the graph files that it writes.
 */
export const PLACE = `p${bootId()}${namespaceId()}`;

/** This process in the names of its files. */
export const WRITER = `${process.pid}-${PLACE}`;

/** A writer in the name of a file. */
export const WRITER_PATTERN = '(?<pid>\\d+)-(?<place>p[0-9a-f]*)';

/**
 * A process that cannot be asked has ended if it has written nothing for this long, milliseconds. The slowest writer is a
 * client that uploads, whose connection closes after five idle minutes.
 */
export const UNTOUCHED_MS = 600_000;

/**
 * How often a running server or job shows processes of other places, which cannot ask it, that it has not ended,
 * milliseconds.
 */
export const HEARTBEAT_MS = 20_000;

/** It has ended if it shows nothing for this long, milliseconds. */
export const SILENT_MS = 6 * HEARTBEAT_MS;

/** When this process started, milliseconds since 1970. */
const STARTED = Date.now() - process.uptime() * 1000;

/** A process that writes files. */
interface Writer {
  readonly pid: number;
  readonly place: string;
}

/**
 * Whether the process that wrote a file has ended. A process of another place cannot be checked, so the age of the file
 * decides. A process with the number of this one has ended if the file is older than this process.
 */
export async function isOrphaned(file: string, { pid, place }: Writer): Promise<boolean> {
  const isMine = pid === process.pid;
  if (place === PLACE && !isMine) return !isProcessAlive(pid);
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs < (place === PLACE ? STARTED : Date.now() - UNTOUCHED_MS);
}

/** The writer that a pattern with `WRITER_PATTERN` has found; undefined if it has not. */
export function writerIn(found: RegExpExecArray | null): Writer | undefined {
  const { pid, place } = found?.groups ?? {};
  return pid === undefined || place === undefined ? undefined : { pid: Number(pid), place };
}

/** Whether a process of this place is running. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The first digits of the number that Linux gives each start of a machine. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    return '';
  }
}

/** The number of the process namespace of Linux; each container has one of its own. */
function namespaceId(): string {
  try {
    return statSync('/proc/self/ns/pid').ino.toString(16);
  } catch {
    return '';
  }
}
