/** The schema against the one that clients of the interface know. */

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  isObjectType,
  printSchema,
  validateSchema,
} from 'graphql';
import { createSchema } from '../../src/graphql/schema.js';
import { PLAN_PARAMETERS } from '../../src/http/params/descriptions.js';

/** Lies beside the repository where it is there at all. */
const KNOWN = fileURLToPath(new URL('../../../../shared/contract/schema.graphql', import.meta.url));

const schema = await createSchema(PLAN_PARAMETERS);

test('nothing that clients know is missing or changed', (t) => {
  if (!existsSync(KNOWN)) {
    t.log('skipped: the known schema is not here');
    t.pass();
    return;
  }
  const known = buildSchema(readFileSync(KNOWN, 'utf8'));
  t.deepEqual(findBreakingChanges(known, schema), []);
  t.deepEqual(findDangerousChanges(known, schema), []);
});

test('the definitions are valid, which servers take for granted', (t) => {
  t.deepEqual(validateSchema(buildSchema(printSchema(schema))), []);
});

test('a plan takes every parameter of the plan resource', (t) => {
  const args = schema
    .getQueryType()
    ?.getFields()
    .plan?.args.map(({ name }) => name);
  t.deepEqual(
    args,
    PLAN_PARAMETERS.map(({ name }) => name),
  );
});

test('types of the index are objects with resolvers for what is no plain member', (t) => {
  for (const name of ['Agency', 'Cluster', 'Pattern', 'Route', 'Stop', 'Trip', 'Stoptime']) {
    const type = schema.getType(name);
    if (!isObjectType(type)) return t.fail(name);
    for (const [field, { resolve }] of Object.entries(type.getFields()))
      t.is(typeof resolve, 'function', `${name}.${field}`);
  }
  return t.pass();
});
