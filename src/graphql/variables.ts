/** Values of variables in the forms that clients of the interface send. */

import { Kind, type OperationDefinitionNode, type TypeNode } from 'graphql';

type Values = Readonly<Record<string, unknown>>;

/**
 * The values of an operation's variables, with numbers for their texts and texts for numbers and truth values where the
 * variables have such types. The reference reads variables of type Float only from texts.
 */
export function typedVariables({ variableDefinitions = [] }: OperationDefinitionNode, values: Values): Values {
  const names = variableDefinitions.map(({ variable, type }) => [variable.name.value, type] as const);
  const given = names.filter(([name]) => Object.hasOwn(values, name));
  return { ...values, ...Object.fromEntries(given.map(([name, type]) => [name, typed(values[name], type)])) };
}

function typed(value: unknown, type: TypeNode): unknown {
  if (type.kind === Kind.NON_NULL_TYPE) return typed(value, type.type);
  if (type.kind === Kind.LIST_TYPE) {
    return Array.isArray(value) ? value.map((item) => typed(item, type.type)) : typed(value, type.type);
  }
  const name = type.name.value;
  if ((name === 'Int' || name === 'Float') && typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  }
  return name === 'String' && ['number', 'boolean'].includes(typeof value) ? String(value) : value;
}
