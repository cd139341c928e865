import test from 'ava';
import { parseDate, parseTime, requestedInstant } from '../../../src/http/params/date-time.js';
import { clocksOf } from '../../support/clocks.js';

const SAO_PAULO = 'America/Sao_Paulo';
const NOW = Date.UTC(2026, 10, 21, 7, 22, 8, 500);

/** The instant in UTC, for example `2019-05-13 11:00:00`. */
function instant(date?: string, time?: string, zone = SAO_PAULO, { arriveBy = false, nowMs = NOW } = {}): string {
  return new Date(requestedInstant(date, time, { clocks: clocksOf(zone), nowMs, arriveBy }) * 1000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
}

const ACCEPTED_DATES: Array<[text: string, date: string]> = [
  ['2019-05-13', '2019-5-13'],
  ['2019/05/13', '2019-5-13'],
  ['2019_5_3', '2019-5-3'],
  ['05-13-2019', '2019-5-13'],
  ['5/13/2019', '2019-5-13'],
  ['05-13-19', '2019-5-13'],
  ['10/01/13', '2013-10-1'],
  ['19.5.13', '2019-5-13'],
  ['20190513', '2019-5-13'],
  ['2019-02-28', '2019-2-28'],
  ['2020-02-29', '2020-2-29'],
  ['2019-05-13T08:00:00', '2019-5-13'],
  ['2019-05-13 whatever', '2019-5-13'],
  ['2019.05.13.08.30.15', '2019-5-13'],
  ['5.13.2019 8:30 pm', '2019-5-13'],
  ['1999-01-01', '1999-1-1'],
  ['2019.05.13.99.99.99', '2019-5-13'],
  ['5.13.2019 25:61', '2019-5-13'],
  ['5.13.19 8:30 pm', '2019-5-13'],
  ['12/31/9999', '9999-12-31'],
  ['1000-01-01', '1000-1-1'],
  ['8:30 am', '1970-1-1'],
  ['1:00 am', '1970-1-1'],
  ['12:59 pm', '1970-1-1'],
];

for (const [text, date] of ACCEPTED_DATES) {
  test(`the date ${JSON.stringify(text)} is ${date}`, (t) => {
    const found = parseDate(text);
    t.is(`${found?.year}-${found?.month}-${found?.day}`, date);
  });
}

for (const text of [
  'not-a-date',
  '2019-02-30',
  '2019-13-45',
  '20191345',
  '31.04.2019',
  '',
  '0',
  '12',
  '2019',
  '1e9',
  '99999999',
  '10000-01-01',
  '0999-12-31',
  '5-13-019',
  '0:30 am',
  '13:30 pm',
  '8:60 am',
  '5.13.19 13:30 pm',
  '5.13.19 8:60 pm',
  'x'.repeat(100_000),
]) {
  test(`${JSON.stringify(text.slice(0, 20))} is not a date`, (t) => {
    t.is(parseDate(text), undefined);
  });
}

const TIMES: Array<[text: string, time: string | undefined]> = [
  ['8:00', '8:0:0'],
  ['08:00:30', '8:0:30'],
  ['17:05', '17:5:0'],
  ['8:00am', '8:0:0'],
  ['8:00 AM', '8:0:0'],
  ['08:00%20PM', '20:0:0'],
  ['8:00\u202fPM', '20:0:0'],
  ['8:00\u00a0am', '8:0:0'],
  ['8:00 p.m.', '20:0:0'],
  ['8:00 a.\u202fm.', '8:0:0'],
  ['12:15', '12:15:0'],
  ['12:15am', '0:15:0'],
  ['12:15pm', '12:15:0'],
  ['25:05', '25:5:0'],
  ['8:00:00pm', '20:0:0'],
  ['12:00:30 a.m.', '0:0:30'],
  ['8:00pm:30', undefined],
  ['8:00 p', undefined],
  ['8:00 p.', undefined],
  ['8:00 m.', undefined],
  ['8am', undefined],
  ['8', undefined],
  ['28800', undefined],
  ['zz', undefined],
  ['', undefined],
  ['8:xx', undefined],
  [`8:${'0'.repeat(1000)}`, undefined],
];

for (const [text, time] of TIMES) {
  test(`the time ${JSON.stringify(text.slice(0, 20))} is ${time}`, (t) => {
    const found = parseTime(text);
    t.is(found && `${found.hour}:${found.minute}:${found.second}`, time);
  });
}

const INSTANTS: Array<[what: string, date: string | undefined, time: string | undefined, utc: string]> = [
  ['date and time', '2019-05-13', '08:00am', '2019-05-13 11:00:00'],
  ['an hour of the next day', '2019-05-13', '25:05', '2019-05-14 04:05:00'],
  ['nothing', undefined, undefined, '2026-11-21 07:22:08'],
  ["a date alone: the graph's wall clock", '2019-05-13', undefined, '2019-05-13 07:22:08'],
  ['an unreadable time', '2019-05-13', 'zz', '2019-05-13 07:22:08'],
  ['an ISO time', undefined, '2019-05-13T08:00:00', '2019-05-13 11:00:00'],
  ['an ISO time with a fraction', undefined, '2019-05-13T08:00:00.25', '2019-05-13 11:00:00'],
  ['an ISO time in UTC', undefined, '2019-05-13T11:00:00Z', '2019-05-13 11:00:00'],
  ['an ISO time with an offset', undefined, '2019-05-13T11:00:00+05:30', '2019-05-13 05:30:00'],
  ['an ISO time with a negative offset', undefined, '2019-05-13T08:00:00-03:30', '2019-05-13 11:30:00'],
  ['the last second of a day', undefined, '2019-05-13T23:59:59Z', '2019-05-13 23:59:59'],
  ['the end of a day', undefined, '2019-05-13T24:00:00Z', '2019-05-14 00:00:00'],
  ['an ISO date', undefined, '2019-05-13', '2019-05-13 03:00:00'],
  ['an ISO time without seconds', undefined, '2019-05-13T08:00', '2019-05-13 11:00:00'],
  ['an ISO time of today', undefined, '08:30:00', '2026-11-21 11:30:00'],
  ['an ISO time of today in UTC', undefined, '08:30:00Z', '2026-11-21 08:30:00'],
  ['a time of today', undefined, '8:30', '2026-11-21 11:30:00'],
  ['an afternoon of today', undefined, '5:05pm', '2026-11-21 20:05:00'],
  ['an hour of tomorrow', undefined, '25:05', '2026-11-22 04:05:00'],
  ['an ISO time of today with a fraction', undefined, 'T08:30:00.5', '2026-11-21 11:30:00'],
];

for (const [what, date, time, utc] of INSTANTS) {
  test(`instant of ${what}`, (t) => t.is(instant(date, time), utc));
}

test('a time that clocks skip is read with the offset before the change', (t) => {
  t.is(instant('2019-03-31', '02:30', 'Europe/Lisbon'), '2019-03-31 01:30:00');
  t.is(instant('2019-03-31', '01:30', 'Europe/Lisbon'), '2019-03-31 01:30:00');
});

test('a time that clocks show twice is the later one', (t) => {
  t.is(instant('2019-11-03', '01:30', 'America/Los_Angeles'), '2019-11-03 09:30:00');
  t.is(instant('2019-11-03', '00:30', 'America/Los_Angeles'), '2019-11-03 07:30:00');
});

test('an arrival at a time that clocks show twice is by the first one', (t) => {
  const arrival = { arriveBy: true };
  t.is(instant('2019-11-03', '01:30', 'America/Los_Angeles', arrival), '2019-11-03 08:30:00');
  t.is(instant(undefined, '2019-11-03T01:30:00', 'America/Los_Angeles', arrival), '2019-11-03 08:30:00');
  t.is(instant('2019-11-03', '00:30', 'America/Los_Angeles', arrival), '2019-11-03 07:30:00');
  t.is(instant('2019-11-03', '02:30', 'America/Los_Angeles', arrival), '2019-11-03 10:30:00');
  t.is(instant('2019-03-31', '01:30', 'Europe/Lisbon', arrival), '2019-03-31 01:30:00');
});

test('an arrival is by the second one when only the first has passed', (t) => {
  const at = (nowMs: number) => instant('2026-11-01', '01:30', 'America/Los_Angeles', { arriveBy: true, nowMs });
  const first = Date.UTC(2026, 10, 1, 8, 30);
  const hour = 3_600_000;
  t.is(at(first), '2026-11-01 08:30:00');
  t.is(at(first + 1), '2026-11-01 09:30:00');
  t.is(at(first + hour), '2026-11-01 09:30:00');
  t.is(at(first + hour + 1), '2026-11-01 08:30:00');
});

test('a time without a date is of the day that the clocks of its zone show', (t) => {
  // In the evening in Los Angeles, it is the next day in UTC.
  const at = (time: string) => instant(undefined, time, 'America/Los_Angeles', { nowMs: Date.UTC(2026, 10, 21, 4) });
  t.is(at('8:30'), '2026-11-20 16:30:00');
  t.is(at('08:30:00Z'), '2026-11-21 08:30:00');
  t.is(at('08:30:00+09:00'), '2026-11-20 23:30:00');
});

test('a date without a time is this instant today, also when clocks show it twice', (t) => {
  const clocks = clocksOf('Europe/Lisbon');
  for (const hour of [0, 1]) {
    const now = Date.UTC(2026, 9, 25, hour, 30);
    t.is(requestedInstant('2026-10-25', undefined, { clocks, nowMs: now }) * 1000, now);
  }
});

for (const [date, time, parameter] of [
  ['not-a-date', '8:00', 'date'],
  [undefined, '8am', 'time'],
  [undefined, '28800', 'time'],
  [undefined, '2019-02-30T08:00:00', 'time'],
  [undefined, '2019-05-13T25:00:00', 'time'],
  [undefined, '2019-05-13T08:60:00', 'time'],
  [undefined, '2019-05-13T08:00:60', 'time'],
  [undefined, 'Z', 'time'],
  ['2019-05-13', '999999999:00', 'time'],
] as const) {
  test(`date ${date} with time ${time} is refused`, (t) => {
    t.throws(() => instant(date, time), { message: new RegExp(`^${parameter}: `) });
  });
}
