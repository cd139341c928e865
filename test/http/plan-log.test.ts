import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'ava';
import { appendPlanLog, planLogLine } from '../../src/http/resources/plan/plan-log.js';
import { clocksOf } from '../support/clocks.js';
import { busTrip, FakeGraph } from '../support/fake-graph.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { startApp } from '../support/test-app.js';

test('a line has the client, the request and the result', (t) => {
  const request = {
    from: { lat: -30.03, lon: -51.23 },
    to: { label: '2:7' },
    epochSeconds: Date.UTC(2019, 4, 13, 12) / 1000,
    arriveBy: true,
    modes: ['WALK' as const, 'BUS' as const],
  };
  const clocks = clocksOf('America/Sao_Paulo');
  const origin = { address: '10.0.0.1', atMs: Date.UTC(2019, 0, 2, 3, 4, 5, 6), clocks };
  t.is(
    planLogLine(request, busTrip(), origin),
    '2019-01-02T01:04:05.006 10.0.0.1 ARRIVE 2019-05-13T09:00 WALK,BUS -30.03 -51.23 - - 900 1\n',
  );
});

test('requests are appended in their order', async (t) => {
  const directory = await temporaryDirectory(t);
  const requestLogFile = path.join(directory, 'missing/requests.log');
  const app = await startApp(t, [{ id: 'poa', graph: new FakeGraph(), config: { requestLogFile } }]);
  for (const hour of [7, 8]) await app.get(`/routers/poa/plan?date=2019-05-13&time=${hour}:00`);
  // Lines are written one after the other, so this one is the last.
  await appendPlanLog(requestLogFile, 'end\n');
  const lines = (await readFile(requestLogFile, 'utf8')).split('\n');
  t.regex(lines[0] ?? '', /DEPART 2019-05-13T07:00/);
  t.regex(lines[1] ?? '', /DEPART 2019-05-13T08:00/);
  t.deepEqual(lines.slice(2), ['end', '']);
});
