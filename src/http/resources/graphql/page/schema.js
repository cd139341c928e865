/** The server's types, as introspection tells them. */

const QUESTION = `{ __schema { queryType { name } types { name kind description
  enumValues { name description }
  inputFields { ...V }
  fields { name description type { ...T } args { ...V } } } } }
fragment V on __InputValue { name description defaultValue type { ...T } }
fragment T on __Type { name kind ofType { name kind ofType { name kind ofType { name kind } } } }`;

/** Types by name, and the name of the one that queries start at. */
export async function loadSchema(ask) {
  const { data } = await ask(QUESTION);
  const types = data.__schema.types.filter(({ name }) => !name.startsWith('__'));
  return { root: data.__schema.queryType.name, types: new Map(types.map((type) => [type.name, type])) };
}

/** A type as the schema language writes it. */
export function typeText(type) {
  if (type.kind === 'NON_NULL') return `${typeText(type.ofType)}!`;
  return type.kind === 'LIST' ? `[${typeText(type.ofType)}]` : type.name;
}

/** The name below lists and marks. */
export function innermost(type) {
  return type.ofType ? innermost(type.ofType) : type.name;
}
