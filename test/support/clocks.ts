import { asUtc, type Clocks } from '../../src/zoned-time.js';

/** Clocks by the runtime's time zone tables, which the server does not use. */
export function clocksOf(timeZone: string): Clocks {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return {
    utcOffset(epochSeconds) {
      const whole = Math.floor(epochSeconds);
      const fields = new Map(format.formatToParts(whole * 1000).map(({ type, value }) => [type as string, value]));
      const number = (name: string) => Number(fields.get(name));
      const year = fields.get('era')?.startsWith('B') ? 1 - number('year') : number('year');
      const [month, day, hour, minute, second] = ['month', 'day', 'hour', 'minute', 'second'].map(number) as number[];
      return asUtc({ year, month, day, hour, minute, second } as never) - whole;
    },
  };
}

/** Clocks in UTC. */
export const UTC: Clocks = { utcOffset: () => 0 };
