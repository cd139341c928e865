import test from 'ava';
import { BadParameter } from '../../src/http/params/bad-parameter.js';
import { PLAN } from '../../src/http/params/descriptions.js';
import { parameter, parameters } from '../../src/http/params/parameter-schema.js';
import { Query } from '../../src/http/params/query.js';
import { routingRequest } from '../../src/http/params/routing-request.js';
import { ROUTES } from '../../src/http/routes.js';
import { UTC } from '../support/clocks.js';

const KINDS = parameters({
  name: parameter.text('Any text'),
  colour: parameter.choice(['RED', 'BLUE'], 'A colour', { default: 'RED' }),
  count: parameter.integer('A number', { minimum: 1, maximum: 9, default: 5 }),
  least: parameter.integer('A number', { minimum: 3 }),
  share: parameter.decimal('A share'),
  flag: parameter.boolean('A flag', { default: true }),
  times: parameter.integer('Numbers', { repeatable: true }),
});

test('values are read as described: the first one, with defaults for absent and empty ones', (t) => {
  const query = new Query('name=a&name=b&colour=&count=7&share=.5&flag=TRUE&times=1&times=&times=2');
  t.is(query.value(KINDS.name), 'a');
  t.is(query.value(KINDS.colour), 'RED');
  t.is(query.given(KINDS.colour), undefined);
  t.is(query.raw(KINDS.colour), '');
  t.is(query.value(KINDS.count), 7);
  t.is(query.value(KINDS.least), undefined);
  t.is(query.value(KINDS.share), 0.5);
  t.true(query.value(KINDS.flag));
  t.false(new Query('flag=1').value(KINDS.flag));
  t.deepEqual(query.all(KINDS.times), [1, 2]);
});

test('whole numbers may be written as decimals', (t) => {
  // A plus sign in an address means a blank.
  const query = new Query('times=6.0&times=6e%2B02&times=1e 05&times=1e+05&times=-0.5e1&times=2147483647.0&times=600.');
  t.deepEqual(query.all(KINDS.times), [6, 600, 100_000, 100_000, -5, 2_147_483_647, 600]);
});

for (const [text, message] of [
  ['count=6.5', /^count: "6.5" is not a whole number/],
  ['count=1e-999', /^count: "1e-999" is not a whole number/],
  ['count=1e1', /^count: 10 is not in range \[1,9\]/],
  ['least=2147483648.0', /^least: "2147483648.0" is not a whole number from -2147483647 to 2147483647/],
  ['colour=red', /^colour: "red" is not one of RED, BLUE/],
  ['count=x', /^count: "x" is not a whole number/],
  ['count=0', /^count: 0 is not in range \[1,9\]/],
  ['least=2', /^least: 2 is less than 3/],
  ['share=1e999', /^share: "1e999" is not a number/],
  ['times=1&times=x', /^times: "x" is not a whole number/],
] as const) {
  test(`${text} is refused by its description`, (t) => {
    const query = new Query(text);
    const name = text.split('=')[0] as keyof typeof KINDS;
    const read = () => (name === 'times' ? query.all(KINDS.times) : query.value(KINDS[name] as never));
    t.regex(t.throws(read, { instanceOf: BadParameter })?.message ?? '', message);
  });
}

test('endless digits are refused at once', (t) => {
  const digits = `${'1'.repeat(200_000)}x`;
  const began = performance.now();
  t.throws(() => new Query(`least=${digits}`).value(KINDS.least), { instanceOf: BadParameter });
  t.throws(() => new Query(`share=${digits}`).value(KINDS.share), { instanceOf: BadParameter });
  // With two ways to divide the digits, each took more than a minute.
  t.true(performance.now() - began < 10_000);
});

/** Remembers which parameters were read. */
class RecordingQuery extends Query {
  readonly read = new Set<string>();

  override raw(described: Parameters<Query['raw']>[0]) {
    this.read.add(described.name);
    return super.raw(described);
  }
  override all<T>(described: Parameters<typeof Query.prototype.all<T>>[0]) {
    this.read.add(described.name);
    return super.all(described);
  }
}

test('every routing parameter that is described is read', (t) => {
  const query = new RecordingQuery(
    'optimize=TRIANGLE&triangleSafetyFactor=1&triangleSlopeFactor=0&triangleTimeFactor=0',
  );
  routingRequest(query, { clocks: UTC, nowMs: 0, defaults: {} as never });
  // Read by the handlers, not by the shared reader.
  const ofTheHandler = ['geoidElevation', 'scenario'];
  t.deepEqual([...query.read, ...ofTheHandler].sort(), Object.keys(PLAN).sort());
});

test('the rows of the route table name parameters as they are sent', (t) => {
  for (const { path, query = {} } of ROUTES) {
    for (const [name, described] of Object.entries(query)) t.is(described.name, name, path);
  }
});
