import { type Logger, pino } from 'pino';

/** A logger on standard error: one JSON object a line for machines, readable lines on a terminal. */
export async function createLogger(level: string): Promise<Logger> {
  const machine = () => pino({ level }, pino.destination({ dest: 2, sync: false }));
  if (!process.stderr.isTTY) return machine();
  try {
    const { default: pretty } = await import('pino-pretty');
    return pino({ level }, pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' }));
  } catch {
    // An installation without development dependencies has no pretty printer.
    return machine();
  }
}
