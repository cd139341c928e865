/** The XML writer turns a recorded JSON body into the recorded XML. */

import test from 'ava';
import { presentPlanAnswer } from '../../src/serialization/plan-response.js';
import { toXml } from '../../src/serialization/xml.js';
import { isThere } from '../support/needs.js';
import { type Recording, recordings } from './recordings.js';

const routers = recordings('routers', 'poa');
const errors = recordings('plan').filter(({ name }) => name === 'accept-xml-error');

const text = (all: readonly Recording[], name: string) =>
  all.find((recording) => recording.name === name)?.body.toString('utf8') ?? '';

for (const [json, xml, root] of [
  ['one-json', 'one-xml', 'RouterInfo'],
  ['list-json', 'list-xml', 'RouterList'],
] as const) {
  const replay = isThere('a recorded list of routers', routers.length > 0) ? test : test.skip;
  replay(`${xml} is the XML form of ${json}`, (t) => {
    const pdxMoment = /<buildTime>\d+<\/buildTime>/g;
    const written = toXml(root, JSON.parse(text(routers, json)));
    t.is(written.replace(pdxMoment, ''), text(routers, xml).replace(pdxMoment, ''));
  });
}

(isThere('a recorded error', errors.length > 0) ? test : test.skip)('a planning error in XML', (t) => {
  const recorded = text(errors, 'accept-xml-error');
  const parameters = [...(errors[0]?.path ?? '').matchAll(/[?&]([^=]+)=([^&]*)/g)].map(
    ([, n = '', v = '']) => [n, v] as const,
  );
  const order = ['date', 'mode', 'fromPlace', 'toPlace', 'time'];
  parameters.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const timings = { precalculation: 0.026, pathCalculation: 0.209, paths: [], rendering: 0, timedOut: false };
  const error = { code: 'PATH_NOT_FOUND', reason: '', missing: [] } as const;
  const answer = presentPlanAnswer(
    { parameters: Object.fromEntries(parameters), geoidElevation: false },
    { error: { ...error, missing: [] }, timings },
  );
  // The text of the message is that of the later releases.
  const withoutText = (xml: string) => xml.replace(/<msg>.*<\/msg>/, '');
  t.is(withoutText(toXml('Response', answer)), withoutText(recorded));
});
