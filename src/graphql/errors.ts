/** Errors in the envelope of the interface. */

import type { GraphQLError } from 'graphql';
import { HttpError } from '../http-error.js';

/** An error as it is sent. Stacks and causes are not included. */
export interface SentError {
  message: string;
  locations?: readonly { line: number; column: number }[];
  path?: readonly (string | number)[];
  errorType: 'InvalidSyntax' | 'ValidationError' | 'DataFetchingException';
  validationErrorType?: string;
  /** What exactly is wrong with the syntax. */
  description?: string;
}

/** Kinds of validation errors by the beginning of the library's message. */
const VALIDATION_KINDS: ReadonlyArray<[pattern: RegExp, kind: string]> = [
  [/^Cannot query field/, 'FieldUndefined'],
  [/^Unknown argument/, 'UnknownArgument'],
  [/must have a selection of subfields/, 'SubSelectionRequired'],
  [/must not have a selection/, 'SubSelectionNotAllowed'],
  [/^Variable .* of type .* used in position|^Variable .* got invalid value/, 'VariableTypeMismatch'],
  [/^Directive .* argument .* is required/, 'MissingDirectiveArgument'],
  [/^Field .* argument .* is required/, 'MissingFieldArgument'],
  [/^Unknown directive/, 'UnknownDirective'],
  [/^Unknown fragment/, 'UndefinedFragment'],
  [/^Unknown type/, 'UnknownType'],
  [/is not defined/, 'UndefinedVariable'],
  [/is nested|has more than|reads more|holds more|runs longer|took longer/, 'LimitExceeded'],
];

/** The query cannot be read. */
export function syntaxError(error: GraphQLError): SentError {
  const locations = error.locations ?? [{ line: 1, column: 0 }];
  const description = error.message.replace(/^Syntax Error: /, '');
  return { message: 'Invalid Syntax', locations, errorType: 'InvalidSyntax', description };
}

/** The query does not fit the schema. */
export function validationError({ message, locations }: GraphQLError): SentError {
  const kind = VALIDATION_KINDS.find(([pattern]) => pattern.test(message))?.[1] ?? 'Other';
  return {
    message: `Validation error of type ${kind}: ${message}`,
    ...(locations && { locations }),
    errorType: 'ValidationError',
    validationErrorType: kind,
  };
}

/** Code of the engine's error when too many searches wait. */
const BUSY = 'BUSY';

/** A field could not be read. Details that clients may not see go to `report` instead. */
export function fetchingError(error: GraphQLError, report: (error: unknown) => void): SentError {
  const cause = error.originalError as (Error & { code?: string }) | null | undefined;
  const meant = !cause || cause.name === 'GraphQLError' || cause.code === BUSY || cause instanceof HttpError;
  if (!meant) report(cause);
  return {
    message: `Exception while fetching data: ${meant ? error.message.trim() : 'internal error'}`,
    ...(error.locations && { locations: error.locations }),
    ...(error.path && { path: error.path }),
    errorType: 'DataFetchingException',
  };
}
