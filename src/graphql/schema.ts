/** The schema with its resolvers. */

import {
  __Directive,
  Kind as AstKind,
  buildSchema,
  defaultFieldResolver,
  extendSchema,
  GraphQLBoolean,
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLNonNull,
  type GraphQLScalarType,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';
import { quoted } from '../quoted.js';
import { nextTurn } from '../turns.js';
import { type Kind, LongList, type Ref } from './graph-reader.js';
import { INDEX_DEFINITIONS } from './index-definitions.js';
import { type PlanArgument, planDefinitions } from './plan-definitions.js';
import { PLAN_RESOLVERS } from './plan-resolvers.js';
import { INDEX_RESOLVERS, type Resolvers } from './resolvers.js';
import { ROOT_RESOLVERS, type Root } from './root.js';

const TYPE_NAMES: Readonly<Record<Kind, string>> = {
  agencies: 'Agency',
  clusters: 'Cluster',
  patterns: 'Pattern',
  routes: 'Route',
  stops: 'Stop',
  trips: 'Trip',
};

/** The definitions are our own, and a test checks them, so servers skip this check. */
const CHECKED = { assumeValid: true, assumeValidSDL: true };

/** The schema, made in turns; the plan query takes the given parameters. */
export async function createSchema(planParameters: readonly PlanArgument[]): Promise<GraphQLSchema> {
  const index = buildSchema(INDEX_DEFINITIONS, CHECKED);
  await nextTurn();
  const schema = extendSchema(index, parse(planDefinitions(planParameters)), CHECKED);
  const resolvers = { ...INDEX_RESOLVERS, ...PLAN_RESOLVERS, QueryType: ROOT_RESOLVERS };
  for (const [type, fields] of Object.entries(resolvers)) attach(schema, type, fields);
  describeDirectivesTheOldWay();
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type)) countFieldsOf(Object.values(type.getFields()));
  countFieldsOf([SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef]);
  const node = schema.getType('Node');
  if (isInterfaceType(node)) node.resolveType = (ref: Ref) => TYPE_NAMES[ref.batch.kind];
  makeLong(schema.getType('Long') as GraphQLScalarType);
  return schema;
}

function attach(schema: GraphQLSchema, name: string, resolvers: Resolvers): void {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the schema has no object type ${name}`);
  const fields = type.getFields();
  for (const [field, resolve] of Object.entries(resolvers)) {
    const target = fields[field];
    if (target === undefined) throw new Error(`${name} has no field ${field}`);
    target.resolve = resolve as unknown as GraphQLFieldResolver<unknown, Root>;
  }
}

/** The resolver of a field, except that a very long list is made while the answer is written. */
function resolverOf({ type, resolve = defaultFieldResolver }: GraphQLField<unknown, Root>): typeof resolve {
  if (!isListType(getNullableType(type))) return resolve;
  return (source, args, root, info) => {
    const noted = (list: unknown) => (list instanceof LongList ? root.streamedLists.note(list, info, root) : list);
    const list = resolve(source, args, root, info);
    return list instanceof Promise ? list.then(noted) : noted(list);
  };
}

/** Fields that are already counted. Those of introspection belong to the library, and all schemas share them. */
const counted = new WeakSet<object>();

/**
 * Counts each field against the query's allowance, and reads it in a later turn when the present one has taken long.
 */
function countFieldsOf(fields: readonly GraphQLField<unknown, Root>[]): void {
  for (const field of fields) {
    if (counted.has(field)) continue;
    counted.add(field);
    const resolve = resolverOf(field);
    field.resolve = (source, args, root, info) => {
      const { allowance } = root.reader;
      // A query that has ended gets no more answers: an error for each remaining field would take long.
      if (allowance.over.aborted) return allowance.pace.turn(undefined);
      allowance.hold(1);
      if (allowance.pace.hasTime) return resolve(source, args, root, info);
      return allowance.pace.turn(undefined).then(() => resolve(source, args, root, info));
    };
  }
}

/** A number in answers; a whole number or its text in arguments. */
function makeLong(type: GraphQLScalarType): void {
  const whole = (value: unknown) => {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    if (!Number.isSafeInteger(number)) throw new GraphQLError(`Long cannot represent ${quoted(value)}`);
    return number;
  };
  type.serialize = whole;
  type.parseValue = whole;
  type.parseLiteral = (node) => {
    return whole(node.kind === AstKind.INT || node.kind === AstKind.STRING ? node.value : undefined);
  };
}

/**
 * Older clients ask where a directive is allowed by three members that introspection had before `locations`. The
 * introspection types belong to the library, and all schemas share them.
 */
function describeDirectivesTheOldWay(): void {
  const fields = __Directive.getFields();
  const places: Readonly<Record<string, readonly string[]>> = {
    onOperation: ['QUERY', 'MUTATION', 'SUBSCRIPTION'],
    onFragment: ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT', 'FRAGMENT_DEFINITION'],
    onField: ['FIELD'],
  };
  for (const [name, locations] of Object.entries(places)) {
    if (fields[name] !== undefined) continue;
    const field: GraphQLField<{ locations: readonly string[] }, unknown> = {
      name,
      description: undefined,
      type: new GraphQLNonNull(GraphQLBoolean),
      args: [],
      resolve: (directive) => directive.locations.some((location) => locations.includes(location)),
      subscribe: undefined,
      deprecationReason: 'Use `locations`.',
      extensions: {},
      astNode: undefined,
    };
    fields[name] = field;
  }
}
