/**
 * The words by which answers are described. One declaration is a JSON Schema (2020-12), from which the description of
 * the interface is made, and a TypeScript type, which `Static` gives.
 */

import Type, { type Static, type TProperties, type TSchema } from 'typebox';

export type { Static, TSchema } from 'typebox';

const described = (description: string | undefined) => (description === undefined ? {} : { description });

export const text = (description?: string) => Type.String(described(description));
export const integer = (description?: string) => Type.Integer(described(description));
export const number = (description?: string) => Type.Number(described(description));
export const flag = (description?: string) => Type.Boolean(described(description));
export const nothing = () => Type.Null();
export const anything = () => Type.Unknown();

/** One of some texts. */
export const oneOf = <const T extends string[]>(values: readonly [...T]) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values });

/** A text that is always the same. */
export const constant = <const T extends string>(value: T) => Type.Literal(value);

export const list = <T extends TSchema>(items: T, description?: string) => Type.Array(items, described(description));

/** A list with a fixed number of numbers. */
export const numbers = <T extends readonly number[]>(count: T['length']) =>
  Type.Unsafe<T>({ type: 'array', items: { type: 'number' }, minItems: count, maxItems: count });

/** An object with any member names. */
export const mapOf = <T extends TSchema>(values: T, description?: string) =>
  Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: values, ...described(description) });

/** A member that may be absent. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

export const anyOf = <T extends TSchema[]>(schemas: [...T], description?: string) =>
  Type.Union(schemas, described(description));

/** An object without a name of its own. */
export const object = <T extends TProperties>(members: T, description?: string) =>
  Type.Object(members, described(description));

/** An object that the description of the interface lists by its name. */
export const named = <T extends TProperties>(title: string, members: T, description: string) =>
  Type.Object(members, { title, description });
