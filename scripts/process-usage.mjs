// Memory and processor time of a process, for scripts that watch one.
import { readFileSync } from 'node:fs';

/** The system counts processor time in ticks. */
const TICKS_PER_SECOND = 100;

/** Resident bytes: all of them, those of this process only, and those of mapped files. */
export function processMemory(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { all: read('VmRSS'), anonymous: read('RssAnon'), file: read('RssFile') };
}

/** Processor seconds that a process has used so far, or one of its threads. */
export function processorSeconds(pid, thread) {
  const file = thread === undefined ? `/proc/${pid}/stat` : `/proc/${pid}/task/${thread}/stat`;
  // The name of the program may contain spaces and brackets.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Processor seconds so far of all processes on this machine, and those that other virtual machines took from it. */
export function machineSeconds() {
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = readFileSync('/proc/stat', 'utf8')
    .slice('cpu '.length, 200)
    .trim()
    .split(/\s+/)
    .map((ticks) => Number(ticks) / TICKS_PER_SECOND);
  return { busy: user + nice + system + interrupts + softInterrupts, stolen };
}
