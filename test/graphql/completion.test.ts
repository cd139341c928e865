/** Completions of the page that writes queries. */

import test from 'ava';

const FOLDER = new URL('../../../src/http/resources/graphql/page/', import.meta.url);
const { completionsAt, tidied } = await import(new URL('completion.js', FOLDER).href);

const named = (name: string) => ({ kind: 'OBJECT', name });
const text = { kind: 'SCALAR', name: 'String' };
const stop = [
  { name: 'name', type: text, args: [] },
  { name: 'routes', type: { kind: 'LIST', ofType: named('Route') }, args: [] },
];
const SCHEMA = {
  root: 'Query',
  types: new Map(
    Object.entries({
      Query: [
        { name: 'stop', type: named('Stop'), args: [{ name: 'id', type: text }] },
        { name: 'stops', type: { kind: 'LIST', ofType: named('Stop') }, args: [{ name: 'ids', type: text }] },
      ],
      Stop: stop,
      Route: [{ name: 'shortName', type: text, args: [] }],
    }).map(([name, fields]) => [name, { name, fields }]),
  ),
};

/** The names offered at the bar in a text. */
function offered(marked: string): string[] {
  const cursor = marked.indexOf('|');
  const { fitting } = completionsAt(marked.replace('|', ''), cursor, SCHEMA);
  return fitting.map(({ name }: { name: string }) => name);
}

for (const [marked, names] of [
  ['{ | }', ['stop', 'stops']],
  ['{ sto| }', ['stop', 'stops']],
  ['{ stop(|) { name } }', ['id']],
  ['{ stop(id: "1:{x") { | } }', ['name', 'routes']],
  ['query A($i: String!) { stop(id: $i) { name routes { sh| } } }', ['shortName']],
  ['{ stops { routes { shortName } n| } }', ['name']],
  ['fragment F on Stop { r| }', ['routes']],
  ['{ node { ... on Route { | } } }', ['shortName']],
  ['# { nothing\n{ stops { name } | }', ['stop', 'stops']],
  ['|', []],
] as const) {
  test(`completions at ${marked}`, (t) => {
    t.deepEqual(offered(marked), [...names]);
  });
}

test('a query is indented by its braces', (t) => {
  t.is(tidied('{ stops { name\nroutes { id } } }'), '{\n  stops {\n    name\n    routes {\n      id\n    }\n  }\n}\n');
});
