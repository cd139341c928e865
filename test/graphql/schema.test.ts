/** The schema against the one that clients of the interface know. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import {
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLNamedType,
  getNamedType,
  isObjectType,
  printSchema,
  validateSchema,
} from 'graphql';
import { createSchema } from '../../src/graphql/schema.js';
import { PLAN } from '../../src/http/params/descriptions.js';
import { Plan, PlanError } from '../../src/serialization/answers/plan-answer.js';
import { hasShared, SHARED } from '../support/needs.js';

const KNOWN = 'contract/schema.graphql';

const schema = await createSchema(Object.values(PLAN));

const compared = hasShared(KNOWN) ? test : test.skip;

compared('everything that clients know is there and unchanged', (t) => {
  const known = buildSchema(readFileSync(path.join(SHARED, KNOWN), 'utf8'));
  t.deepEqual(findBreakingChanges(known, schema), []);
  t.deepEqual(findDangerousChanges(known, schema), []);
});

test('the definitions are valid, which servers do not check', (t) => {
  t.deepEqual(validateSchema(buildSchema(printSchema(schema))), []);
});

test('a plan takes every parameter of the plan resource', (t) => {
  const args = schema
    .getQueryType()
    ?.getFields()
    .plan?.args.map(({ name }) => name);
  t.deepEqual(
    args,
    Object.values(PLAN).map(({ name }) => name),
  );
});

/** The part of an answer's description that names members. */
interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly additionalProperties?: Described;
}

/** Members of an answer that a type lacks, and those that the types of its members lack. */
function lacking(answer: Described, type: GraphQLNamedType): string[] {
  if (answer.items !== undefined) return lacking(answer.items, type);
  if (!isObjectType(type)) return answer.properties === undefined ? [] : [type.name];
  const fields = type.getFields();
  if (answer.additionalProperties !== undefined) {
    const kinds = answer.additionalProperties;
    return Object.values(fields).flatMap((field) => lacking(kinds, getNamedType(field.type)));
  }
  return Object.entries(answer.properties ?? {}).flatMap(([name, member]) => {
    const field = fields[name];
    return field === undefined ? [`${type.name}.${name}`] : lacking(member, getNamedType(field.type));
  });
}

test('a plan has every member of the plan resource', (t) => {
  for (const [answer, name] of [
    [Plan, 'Plan'],
    [PlanError, 'PlanError'],
  ] as const) {
    const type = schema.getType(name);
    t.deepEqual(type === undefined ? [name] : lacking(answer as Described, type), []);
  }
});

test('types of the index are objects with resolvers for all members that are not plain', (t) => {
  for (const name of ['Agency', 'Cluster', 'Pattern', 'Route', 'Stop', 'Trip', 'Stoptime']) {
    const type = schema.getType(name);
    if (!isObjectType(type)) return t.fail(name);
    for (const [field, { resolve }] of Object.entries(type.getFields()))
      t.is(typeof resolve, 'function', `${name}.${field}`);
  }
  return t.pass();
});
