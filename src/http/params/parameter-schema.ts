/** Query parameters as data, which both the reader of requests and the description of the interface use. */

import type { NumberRange } from '../../native/number-limits.js';
import type { RequestMember } from './request-members.js';

export type ParameterValue = string | number | boolean;

/** The part of JSON Schema that parameter values need. */
export interface ValueSchema extends NumberRange {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly enum?: readonly string[];
  readonly default?: ParameterValue;
}

/** One query parameter. */
export interface ParameterSchema {
  readonly name: string;
  readonly description: string;
  readonly schema: ValueSchema;
  readonly required?: boolean;
  /** May be given several times. */
  readonly repeatable?: boolean;
  /** What it sets in a routing request, if its value depends on this parameter alone. */
  readonly sets?: RequestMember;
}

/** A parameter whose value is a `T`, which includes `undefined` when there is no default. */
export interface Parameter<T> extends ParameterSchema {
  /** The type of the value; no object has this member. */
  readonly '~value'?: T;
}

/** A parameter to which `parameters` gives a name. */
type Unnamed<T> = Omit<Parameter<T>, 'name'>;

/** Options of a parameter besides its type and description. */
interface Options<T> extends NumberRange, Pick<ParameterSchema, 'required' | 'repeatable'> {
  readonly default?: T;
  readonly sets?: RequestMember | undefined;
}

/** The value's type for a parameter with a default. */
type ValueOf<T, O> = O extends { readonly default: T } ? T : T | undefined;

function ofType<T extends ParameterValue>(type: ValueSchema['type']) {
  return <O extends Options<T> = Options<T>>(description: string, options?: O): Unnamed<ValueOf<T, O>> => {
    const { required, repeatable, sets, ...schema } = options ?? ({} as O);
    return {
      description,
      schema: { type, ...schema },
      ...(required && { required }),
      ...(repeatable && { repeatable }),
      ...(sets && { sets }),
    };
  };
}

const text = ofType<string>('string');

/** Parameters by type. */
export const parameter = {
  text,
  integer: ofType<number>('integer'),
  decimal: ofType<number>('number'),
  boolean: ofType<boolean>('boolean'),
  /** One of several texts, in exact case. */
  choice<const T extends string, O extends Options<T> = Options<T>>(
    values: readonly T[],
    description: string,
    options?: O,
  ): Unnamed<ValueOf<T, O>> {
    const { schema, ...described } = text<Options<string>>(description, options);
    return { ...described, schema: { ...schema, enum: values } } as Unnamed<ValueOf<T, O>>;
  },
};

export type Parameters<U> = { readonly [Name in keyof U]: U[Name] extends Unnamed<infer T> ? Parameter<T> : never };

/** Gives each parameter the name of its member. */
export function parameters<U extends Readonly<Record<string, Unnamed<unknown>>>>(unnamed: U): Parameters<U> {
  const named = Object.entries(unnamed).map(([name, described]) => [name, { name, ...described }]);
  return Object.fromEntries(named) as Parameters<U>;
}
