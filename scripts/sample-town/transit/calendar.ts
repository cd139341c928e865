import type { Table } from './feed-files.js';
import type { Service } from './line.js';

/** First and last day served, both included. */
export interface ServicePeriod {
  /** `yyyy-mm-dd`. */
  from: string;
  to: string;
}

/** Two years, so that a town made with the defaults is served today without depending on the clock. */
export const DEFAULT_PERIOD: ServicePeriod = { from: '2026-01-01', to: '2027-12-31' };

const HOLIDAYS = ['01-01', '01-06', '05-01', '08-15', '10-26', '11-01', '12-08', '12-25', '12-26'];
const DAY_MS = 86_400_000;

const WEEKDAYS: Record<Exclude<Service, 'SCHOOL'>, string> = {
  WEEKDAY: '1111100',
  SATURDAY: '0000010',
  SUNDAY: '0000001',
  // Nights that start on Friday and Saturday.
  NIGHT: '0000110',
  DAILY: '1111111',
};

/** calendar.txt and calendar_dates.txt; school days are given by dates alone. */
export function calendarTables(period: ServicePeriod): Table[] {
  const [from, to] = [compact(period.from), compact(period.to)];
  return [
    {
      name: 'calendar',
      header: 'service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date',
      rows: Object.entries(WEEKDAYS).map(([service, mask]) => [service, ...mask, from, to]),
    },
    { name: 'calendar_dates', header: 'service_id,date,exception_type', rows: exceptions(period) },
  ];
}

/** `yyyymmdd`. */
export function compact(date: string): string {
  return date.replaceAll('-', '');
}

function* exceptions(period: ServicePeriod): Generator<(string | number)[]> {
  const end = Date.parse(period.to);
  for (let time = Date.parse(period.from); time <= end; time += DAY_MS) {
    const date = new Date(time).toISOString().slice(0, 10);
    const weekday = new Date(time).getUTCDay();
    const working = weekday >= 1 && weekday <= 5;
    if (HOLIDAYS.includes(date.slice(5))) {
      if (working) yield ['WEEKDAY', compact(date), 2];
      if (weekday === 6) yield ['SATURDAY', compact(date), 2];
      if (weekday !== 0) yield ['SUNDAY', compact(date), 1];
    } else if (working && !['07', '08'].includes(date.slice(5, 7))) {
      yield ['SCHOOL', compact(date), 1];
    }
  }
}
