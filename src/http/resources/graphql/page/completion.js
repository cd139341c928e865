/** What may stand where the cursor is: read from the braces and names before it. */

import { innermost } from './schema.js';

const TOKENS = /#[^\n]*|"(?:\\.|[^"\\\n])*"?|\.\.\.|[_A-Za-z]\w*|\$\w*|[{}()[\]:!=@,]/g;

/** The word that the cursor ends, and the names that could complete it. */
export function completionsAt(text, cursor, schema) {
  const before = text.slice(0, cursor);
  const word = /[_A-Za-z]\w*$/.exec(before)?.[0] ?? '';
  const names = namesAt(before.slice(0, before.length - word.length), schema);
  const fitting = names.filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase()) && name !== word);
  return { word, fitting };
}

/** Fields inside braces, arguments inside parentheses. */
function namesAt(before, schema) {
  const place = walk(before, schema);
  if (place === undefined) return [];
  const { type, field } = place;
  if (field !== undefined) return field.args ?? [];
  return schema.types.get(type)?.fields ?? [];
}

/** Follows the text from the start; the place is a type, and a field when the text ends among its arguments. */
function walk(before, schema) {
  const open = [];
  let type;
  let field;
  let condition = false;
  for (const token of before.match(TOKENS) ?? []) {
    if (token === '{') {
      open.push({ type });
      type = open.length === 1 && type === undefined ? schema.root : type;
      if (field !== undefined) type = innermost(field.type);
      field = undefined;
    } else if (token === '}') {
      type = open.pop()?.type;
      field = undefined;
    } else if (token === '(') {
      open.push({ type, arguments: true });
    } else if (token === ')') {
      open.pop();
    } else if (condition && schema.types.has(token)) {
      type = token;
    } else if (/^[_A-Za-z]/.test(token) && !open.at(-1)?.arguments && open.length > 0) {
      field = schema.types.get(type)?.fields?.find(({ name }) => name === token);
    }
    condition = token === 'on';
  }
  if (open.length === 0) return undefined;
  return { type, field: open.at(-1).arguments ? field : undefined };
}

/** The query with its lines indented by the depth of their braces. */
export function tidied(text) {
  let depth = 0;
  const lines = text
    .replace(/\{(?!\s*\n)/g, '{\n')
    .replace(/\}/g, '\n}\n')
    .split('\n')
    .map((line) => line.trim());
  const indented = lines.map((line) => {
    if (line.startsWith('}')) depth = Math.max(0, depth - 1);
    const result = line === '' ? '' : '  '.repeat(depth) + line;
    if (line.endsWith('{')) depth += 1;
    return result;
  });
  return `${indented.filter((line) => line !== '').join('\n')}\n`;
}
