import { type Logger, pino } from 'pino';
import { LogOutput } from './log-output.js';

/** A logger on standard error: one JSON object a line for machines, readable lines on a terminal. */
export async function createLogger(level: string): Promise<Logger> {
  const output = new LogOutput();
  if (!process.stderr.isTTY) return pino({ level }, output);
  try {
    const { default: pretty } = await import('pino-pretty');
    return pino({ level }, pretty({ destination: output, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' }));
  } catch {
    // An installation without development dependencies has no pretty printer.
    return pino({ level }, output);
  }
}
