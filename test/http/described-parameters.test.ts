import test from 'ava';
import type { ParameterSchema } from '../../src/http/parameter-schema.js';
import { PLAN_PARAMETERS } from '../../src/http/params/descriptions.js';
import { Query } from '../../src/http/params/query.js';
import { routingRequest } from '../../src/http/params/routing-request.js';
import { UTC } from '../support/clocks.js';

/** Remembers which parameters were read, and as what. */
class RecordingQuery extends Query {
  readonly read = new Map<string, string>();

  #note(name: string, type: string): void {
    if (this.read.get(name) === undefined || type !== 'string') this.read.set(name, type);
  }

  override raw(name: string) {
    if (!this.read.has(name)) this.#note(name, 'string');
    return super.raw(name);
  }
  override all(name: string) {
    this.#note(name, 'list');
    return super.all(name);
  }
  override boolean(name: string) {
    const value = super.boolean(name);
    this.#note(name, 'boolean');
    return value;
  }
  override integer(name: string) {
    const value = super.integer(name);
    this.#note(name, 'integer');
    return value;
  }
  override decimal(name: string) {
    const value = super.decimal(name);
    this.#note(name, 'number');
    return value;
  }
}

const typeOf = ({ repeatable, schema }: ParameterSchema) => (repeatable ? 'list' : schema.type);

test('the description of the routing parameters says what is read, with the type it is read as', (t) => {
  const query = new RecordingQuery(
    'optimize=TRIANGLE&triangleSafetyFactor=1&triangleSlopeFactor=0&triangleTimeFactor=0',
  );
  routingRequest(query, { clocks: UTC, nowMs: 0, defaults: {} as never });
  // Read by the handlers, not by the shared reader.
  const ofTheHandler = ['geoidElevation', 'scenario'];
  const described = PLAN_PARAMETERS.filter(({ name }) => !ofTheHandler.includes(name));
  const lines = (pairs: Iterable<readonly [string, string]>) => [...pairs].map((pair) => pair.join(': ')).sort();
  t.deepEqual(lines(described.map((parameter) => [parameter.name, typeOf(parameter)] as const)), lines(query.read));
});
