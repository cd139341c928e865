import test from 'ava';
import { type PlanArguments, planQuery } from '../../src/cli/plan/run-plan.js';
import { clocksOf } from '../support/clocks.js';

const ASKED: PlanArguments = { from: '1,2', to: '3,4', via: [], set: [], graph: '' };

test('a time without a date is today, in the time zone of the graph', (t) => {
  const date = (time: string, now: string, timeZone: string) =>
    new URLSearchParams(planQuery({ ...ASKED, time }, clocksOf(timeZone), Date.parse(now) / 1000)).get('date');
  t.is(date('20:00', '2026-11-24T01:30:00Z', 'America/New_York'), '2026-11-23');
  t.is(date('20:00', '2026-11-23T15:30:00Z', 'Asia/Tokyo'), '2026-11-24');
  t.is(date('20:00', '2026-11-23T15:30:00Z', 'Europe/Vienna'), '2026-11-23');
  t.is(date('2026-11-25T20:00:00', '2026-11-23T15:30:00Z', 'Europe/Vienna'), null);
});

test('a parameter that does not exist is refused', (t) => {
  const query = (set: string) => planQuery({ ...ASKED, set: [set] }, clocksOf('Europe/Vienna'), 0);
  t.is(new URLSearchParams(query('bikeSpeed=6')).get('bikeSpeed'), '6');
  const message = '--set bikSpeed=6: there is no parameter bikSpeed; did you mean bikeSpeed?';
  t.throws(() => query('bikSpeed=6'), { message });
});

test('an instant is refused beside a date, where the interface takes it for now', (t) => {
  const asked = { ...ASKED, date: '2026-11-23', time: '2026-11-25T20:00:00' };
  const message = '--time 2026-11-25T20:00:00: with --date it has to be a time of day';
  t.throws(() => planQuery(asked, clocksOf('Europe/Vienna'), 0), { message });
});
