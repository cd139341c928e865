/** Writes queries, shows their answers, and browses the schema. Needs nothing but the server it came from. */

const ENDPOINT = location.pathname.replace(/\/$/, '');
const EXAMPLE = `# Ctrl+Enter runs the query.
{
  routes {
    gtfsId
    shortName
    longName
    mode
  }
}
`;
const TYPES = `{ __schema { queryType { name } types { name kind description
  enumValues { name description }
  fields { name description type { ...T } args { name description defaultValue type { ...T } } } } } }
fragment T on __Type { name kind ofType { name kind ofType { name kind ofType { name kind } } } }`;

const element = (id) => document.getElementById(id);
const [query, variables, answer, took, select, types] = ['query', 'variables', 'answer', 'took', 'type', 'types'].map(
  element,
);

async function ask(text, values) {
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ query: text, variables: values }),
  });
  const body = await response.text();
  try {
    return JSON.parse(body);
  } catch {
    throw new Error(`${response.status}: ${body}`);
  }
}

async function run() {
  const started = performance.now();
  took.value = 'running …';
  try {
    const values = variables.value.trim() === '' ? undefined : JSON.parse(variables.value);
    answer.textContent = JSON.stringify(await ask(query.value, values), null, 2);
  } catch (error) {
    answer.textContent = String(error.message);
  }
  took.value = `${Math.round(performance.now() - started)} ms`;
}

const typeText = (type) => {
  if (type.kind === 'NON_NULL') return `${typeText(type.ofType)}!`;
  return type.kind === 'LIST' ? `[${typeText(type.ofType)}]` : type.name;
};
const innermost = (type) => (type.ofType ? innermost(type.ofType) : type.name);

function node(name, ...children) {
  const made = document.createElement(name);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function typeButton(type) {
  const button = node('button', typeText(type));
  button.type = 'button';
  button.onclick = () => {
    select.value = innermost(type);
    select.onchange();
  };
  return button;
}

function entry({ name, description, type, args = [] }) {
  const list = args.flatMap((arg) => [
    arg === args[0] ? '(' : ', ',
    `${arg.name}: `,
    typeButton(arg.type),
    arg.defaultValue === null ? '' : ` = ${arg.defaultValue}`,
  ]);
  const title = node('dt', name, ...list, list.length > 0 ? ')' : '', ...(type ? [': ', typeButton(type)] : []));
  return [title, description ? node('dd', description) : null];
}

async function browse() {
  const { data } = await ask(TYPES);
  const known = new Map(
    data.__schema.types.filter(({ name }) => !name.startsWith('__')).map((type) => [type.name, type]),
  );
  select.append(...[...known.keys()].map((name) => new Option(name)));
  select.onchange = () => {
    const { description, fields, enumValues } = known.get(select.value);
    types.replaceChildren(
      node('p', description ?? ''),
      node('dl', ...(fields ?? enumValues ?? []).flatMap((member) => entry(member))),
    );
  };
  select.value = data.__schema.queryType.name;
  select.onchange();
}

query.value = new URLSearchParams(location.search).get('query') ?? EXAMPLE;
element('run').onclick = run;
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') run();
});
browse();
