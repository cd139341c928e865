/** Every recorded plan request is read like by the reference: refused or not, and with the same instant. */

import test from 'ava';
import { Query } from '../../src/http/params/query.js';
import { routingRequest } from '../../src/http/params/routing-request.js';
import { HttpError } from '../../src/http-error.js';
import { clocksOf } from '../support/clocks.js';
import { isThere } from '../support/needs.js';
import { type Recording, recordings } from './recordings.js';

const ZONES: Record<string, string> = {
  poa: 'America/Sao_Paulo',
  pdx: 'America/Los_Angeles',
  porto: 'Europe/Lisbon',
  laquila: 'Europe/Rome',
};

/** Requests whose instant was the moment of recording. */
const WITHOUT_INSTANT = /[?&]time=(8|zz)(&|$)/;

const plans = ['plan', 'plan_midday']
  .flatMap((area) => recordings(area))
  .filter(
    ({ method, path, contentType }) => method === 'GET' && path.includes('/plan') && contentType === 'application/json',
  );

const replay = isThere('a recorded plan', plans.length > 0) ? test : test.skip;

function read({ path, city }: Recording) {
  const query = new Query(path.slice(path.indexOf('?') + 1));
  return routingRequest(query, { clocks: clocksOf(ZONES[city] ?? 'UTC'), nowMs: Date.now(), defaults: {} });
}

for (const city of new Set(plans.map((recording) => recording.city))) {
  test(`${city}: requests with an answer are read, at the recorded instant`, (t) => {
    const answered = plans.filter((recording) => recording.city === city && !WITHOUT_INSTANT.test(recording.path));
    for (const recording of answered) {
      const { plan } = JSON.parse(recording.body.toString('utf8'));
      if (plan) t.is(read(recording).epochSeconds * 1000, plan.date, recording.path);
    }
  });
}

replay('requests that the reference refused are refused', (t) => {
  const refused = new Set(['BOGUS_PARAMETER', 'SYSTEM_ERROR']);
  for (const recording of plans) {
    const { error } = JSON.parse(recording.body.toString('utf8'));
    if (refused.has(error?.message)) t.throws(() => read(recording), { instanceOf: HttpError }, recording.path);
  }
});
