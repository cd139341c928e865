import test from 'ava';
import { FakeGraph } from '../support/fake-graph.js';
import { startApp } from '../support/test-app.js';

const PLAN = '/routers/poa/plan?fromPlace=-30.03,-51.23&toPlace=-30.06,-51.18';

async function xmlOf(t: Parameters<typeof startApp>[0], path: string) {
  const app = await startApp(t, [{ id: 'poa', graph: new FakeGraph() }]);
  const response = await app.get(path, { accept: 'application/xml' });
  return { response, text: await response.text() };
}

test('the XML form mirrors the JSON form', async (t) => {
  const { response, text } = await xmlOf(t, PLAN);
  t.is(response.headers.get('content-type'), 'application/xml');
  t.true(text.startsWith('<Response><requestParameters><fromPlace>-30.03,-51.23</fromPlace>'));
  t.regex(text, /<plan><date>1557748800000<\/date><from><name>Origin<\/name><stopId\/><stopCode\/>/);
  t.regex(text, /<itineraries><itineraries><duration>900<\/duration>/);
  t.regex(text, /<legs><legs><startTime>/);
  t.regex(text, /<duration>219\.0<\/duration>/);
  t.regex(text, /<elevation><elevation><first>0\.0<\/first><second>10\.0<\/second><\/elevation>/);
  t.regex(text, /<isNonExactFrequency\/><headway\/><distance>290\.0<\/distance>/);
  t.regex(text, /<stopId><agencyId>2<\/agencyId><id>53:15<\/id><\/stopId>/);
  t.regex(text, /<name>Rua A &amp; B &lt;1&gt;<\/name>/);
  t.regex(text, /<orig><\/orig>/);
  t.regex(text, /<steps\/><\/legs>/);
  t.regex(text, /<error\/><debugOutput>.*<pathTimes><pathTimes>18<\/pathTimes><\/pathTimes>/);
  t.regex(text, /<cents>470<\/cents>/);
  t.false(text.includes('<intermediateStops'));
});

test('an error has an empty plan', async (t) => {
  const { text } = await xmlOf(t, '/routers/nowhere/plan?date=x');
  t.regex(text, /<plan\/><error><id>503<\/id><msg>/);
});

test('parameter names that are not element names are left out, and so are control characters', async (t) => {
  const { text } = await xmlOf(t, `${PLAN}&a%20b=1&%3Cx%3E=1&time=8%00%1f8`);
  t.regex(
    text,
    /<requestParameters><fromPlace>[^<]*<\/fromPlace><toPlace>[^<]*<\/toPlace><time>88<\/time><\/requestParameters>/,
  );
});
