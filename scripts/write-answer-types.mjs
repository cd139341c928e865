// Writes the types of the answers (`trestle/answers`) from their schemas, as interfaces with the descriptions as
// comments. Types that the compiler derives from the schemas would repeat each schema wherever it is used, in terms of
// the schema library: three times as long, without the descriptions, and hard to read.
import { readdir, writeFile } from 'node:fs/promises';
import { ANSWERS } from '../dist/src/serialization/answers/index.js';

const SCHEMAS = new URL('../dist/src/serialization/answers/', import.meta.url);
const TARGET = new URL('../dist/types/serialization/answers/index.d.ts', import.meta.url);

/** Modules without schemas of answers. */
const OTHERS = ['index.js', 'schema.js'];

const names = new Map();
for (const file of (await readdir(SCHEMAS)).filter((name) => name.endsWith('.js') && !OTHERS.includes(name)).sort()) {
  for (const [name, schema] of Object.entries(await import(new URL(file, SCHEMAS)))) names.set(schema, name);
}

/** Schemas that only others use have the name that the description of the interface gives them. */
function nameParts(schema) {
  if (typeof schema !== 'object' || schema === null) return;
  const taken = [...names].some(([other, name]) => name === schema.title || other.title === schema.title);
  if (typeof schema.title === 'string' && !taken) names.set(schema, schema.title);
  for (const part of Object.values(schema)) nameParts(part);
}
for (const schema of [...names.keys()]) nameParts(schema);

/** A description as a comment before what it is about. */
function comment({ description }, indent) {
  return description === undefined ? '' : `${indent}/** ${description} */\n`;
}

function membersOf({ properties, required = [] }, indent) {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const mark = required.includes(name) ? '' : '?';
    const type = typeOf(schema, `${indent}  `);
    return `${comment(schema, `${indent}  `)}${indent}  ${key}${mark}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function listOf(items, indent) {
  const type = typeOf(items, indent);
  return /^[\w.]+$/.test(type) || type.startsWith('{') ? `${type}[]` : `(${type})[]`;
}

/** The type of a schema where it is used: its name if it has one. Optional members are copies of their schemas. */
function typeOf(schema, indent) {
  const named = [...names.keys()].find((other) => schema.title !== undefined && other.title === schema.title);
  return names.get(named ?? schema) ?? spelledOut(schema, indent);
}

function spelledOut(schema, indent) {
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array':
      return schema.minItems === undefined
        ? listOf(schema.items, indent)
        : `[${Array(schema.minItems).fill('number').join(', ')}]`;
    case 'object':
      return schema.properties === undefined
        ? `Record<string, ${typeOf(schema.additionalProperties, indent)}>`
        : membersOf(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`a schema of type ${schema.type} has no TypeScript type`);
  }
}

function declarationOf(schema, name) {
  const isInterface = schema.type === 'object' && schema.properties !== undefined;
  const type = spelledOut(schema, '');
  return `${comment(schema, '')}export ${isInterface ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
}

const declarations = [...names].map(([schema, name]) => declarationOf(schema, name));
const answerNames = Object.keys(ANSWERS).map((name) => `\n  | '${name}'`);
await writeFile(
  TARGET,
  `/** The types of the answers in JSON; times, distances and other quantities say their units. */

${declarations.join('\n')}
/** The name of an answer in JSON. */
export type AnswerName =${answerNames.join('')};

/** The answers' schemas (JSON Schema, 2020-12). */
export declare const ANSWERS: Readonly<Record<AnswerName, object>>;
`,
);
