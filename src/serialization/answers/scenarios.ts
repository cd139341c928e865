/** Answers of scenarios and GraphQL. */

import {
  anyOf,
  anything,
  integer,
  list,
  mapOf,
  named,
  nothing,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from './schema.js';

export const ScenarioList = mapOf(text(), 'Descriptions by id');
export type ScenarioList = Static<typeof ScenarioList>;

export const Scenario = named(
  'Scenario',
  {
    id: text(),
    description: text(),
    modifications: list(
      mapOf(anything(), 'The modification as it was sent, with `changed` (how much it changes) and `warnings`'),
    ),
  },
  'Changes of the schedule, with their outcomes',
);
export type Scenario = Static<typeof Scenario>;

const GraphqlError = named(
  'GraphqlError',
  {
    message: text(),
    locations: optional(list(object({ line: integer(), column: integer() }))),
    path: optional(list(anyOf([text(), integer()]))),
    errorType: oneOf(['InvalidSyntax', 'ValidationError', 'DataFetchingException']),
    validationErrorType: optional(text()),
    description: optional(text()),
  },
  'Why a query, or a field of it, has no answer',
);

export const GraphqlAnswer = named(
  'GraphqlAnswer',
  {
    data: optional(anyOf([mapOf(anything()), nothing()], 'In the form that the query requests')),
    errors: optional(list(GraphqlError)),
  },
  'Answer to a GraphQL query',
);
export type GraphqlAnswer = Static<typeof GraphqlAnswer>;

export const GraphqlBatchAnswer = list(
  object({
    id: optional(anything()),
    payload: GraphqlAnswer,
  }),
  'Answers to queries that were sent together, in their order',
);
export type GraphqlBatchAnswer = Static<typeof GraphqlBatchAnswer>;

export const InterfaceDescription = mapOf(anything(), 'OpenAPI 3.1');
