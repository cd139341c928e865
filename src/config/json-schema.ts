/** JSON Schema of documents, made from their fields, for the description of the interface. */

import type { Field } from './fields.js';

/** A schema, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The schema of a field. It does not include quoted numbers and flags, although the reader accepts them as the
 * reference does.
 */
export function fieldSchema(field: Field): JsonSchema {
  switch (field.kind) {
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
      return {
        type: field.integer ? 'integer' : 'number',
        ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
        ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
      };
    case 'string':
      return { type: 'string', ...(field.oneOf === undefined ? {} : { enum: field.oneOf }) };
    case 'list':
      return { type: 'array', items: fieldSchema(field.items) };
    case 'names':
      return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    case 'object':
      return {
        type: 'object',
        properties: mapValues(field.fields, fieldSchema),
        ...(field.required === undefined ? {} : { required: field.required }),
      };
    case 'map':
      return { type: 'object', additionalProperties: fieldSchema(field.values) };
    case 'either':
      return { anyOf: field.choices.map(fieldSchema) };
    case 'optional':
    case 'unused':
      return fieldSchema(field.field);
    case 'any':
      return {};
  }
}

/** The schemas of members by name, each with its meaning. */
export function memberSchemas(
  members: Readonly<Record<string, { readonly field: Field; readonly summary: string }>>,
): Record<string, JsonSchema> {
  return mapValues(members, ({ field, summary }) => ({ ...fieldSchema(field), description: summary }));
}

function mapValues<V, W>(object: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
