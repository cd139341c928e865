/**
 * Loading the GraphQL library. All of it at once takes the time of some fifty plans, in which nobody else is served; so
 * its parts are loaded one after the other, what others need first, and other requests get their turn in between.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Each takes some milliseconds. A part that a later version lacks may go: others bring its files. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('graphql/error/GraphQLError.js'),
  () => import('graphql/language/ast.js'),
  () => import('graphql/language/lexer.js'),
  () => import('graphql/language/parser.js'),
  () => import('graphql/language/printer.js'),
  () => import('graphql/language/index.js'),
  () => import('graphql/type/assertName.js'),
  () => import('graphql/utilities/valueFromASTUntyped.js'),
  () => import('graphql/type/definition.js'),
  () => import('graphql/type/scalars.js'),
  () => import('graphql/type/introspection.js'),
  () => import('graphql/type/schema.js'),
  () => import('graphql/type/index.js'),
  () => import('graphql/execution/values.js'),
  () => import('graphql/execution/execute.js'),
  () => import('graphql/utilities/TypeInfo.js'),
  () => import('graphql/validation/ValidationContext.js'),
  () => import('graphql/validation/rules/OverlappingFieldsCanBeMergedRule.js'),
  () => import('graphql/validation/rules/KnownTypeNamesRule.js'),
  () => import('graphql/validation/rules/ValuesOfCorrectTypeRule.js'),
  () => import('graphql/validation/specifiedRules.js'),
  () => import('graphql/validation/index.js'),
  () => import('graphql/utilities/extendSchema.js'),
  () => import('graphql/utilities/index.js'),
  () => import('graphql'),
  () => import('graphql-http'),
  () => import('../graphql/root.js'),
  () => import('../graphql/schema.js'),
];

let loading: Promise<typeof import('./graphql.js')> | undefined;

/** What answers queries, loaded if that was not done yet. */
export function loadGraphql(): Promise<typeof import('./graphql.js')> {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<typeof import('./graphql.js')> {
  for (const part of PARTS) {
    await part();
    await nextTurn();
  }
  const graphql = await import('./graphql.js');
  await nextTurn();
  return graphql;
}
