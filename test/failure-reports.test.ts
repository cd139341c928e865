import test from 'ava';
import { reportSeldom } from '../src/failure-reports.js';

test('a failure that happens again and again is reported once a minute, another one at once', (t) => {
  let now = 0;
  const reported: [at: number, message: string][] = [];
  const report = reportSeldom(
    (error) => void reported.push([now, (error as Error).message]),
    () => now,
  );
  for (; now < 150_000; now += 1000) {
    report(new Error('gone'));
    if (now === 90_000) report(new Error('full'));
  }
  t.deepEqual(reported, [
    [0, 'gone'],
    [60_000, 'gone'],
    [90_000, 'full'],
    [120_000, 'gone'],
  ]);
});

test('failures that differ in a number are the same, those with other codes are not', (t) => {
  const reported: string[] = [];
  const report = reportSeldom(
    (error) => void reported.push((error as Error).message),
    () => 0,
  );
  const full = (number: number, code: string) =>
    Object.assign(new Error(`no space for progress.json.tmp-3164-${number}`), { code });
  for (let i = 1; i <= 300; i += 1) report(full(i, 'ENOSPC'));
  report(full(301, 'EDQUOT'));
  report(new AggregateError([]));
  report(new AggregateError([]));
  t.deepEqual(reported, ['no space for progress.json.tmp-3164-1', 'no space for progress.json.tmp-3164-301', '']);
});

test('it forgets failures when there are very many different ones', (t) => {
  let count = 0;
  const report = reportSeldom(
    () => (count += 1),
    () => 0,
  );
  for (const round of [1, 2]) {
    for (let i = 0; i < 150; i += 1) report(`${i}`);
    t.is(count, 150 * round);
  }
});
