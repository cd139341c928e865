// Resident memory of a process, for scripts that watch a server.
import { readFileSync } from 'node:fs';

/** All of it, what only this process has, and pages of files; bytes. */
export function processMemory(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { all: read('VmRSS'), anonymous: read('RssAnon'), file: read('RssFile') };
}
