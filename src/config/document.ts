/** Configuration text (JSON with comments, unquoted keys, trailing commas) as a tree that knows its lines. */

import { type AnyNode, parse, type ValueNode } from '@humanwhocodes/momoa';
import JSON5 from 'json5';
import { ConfigError, type ConfigPlace } from './diagnostic.js';

/** A member of an object. */
export interface Member {
  readonly name: string;
  readonly place: ConfigPlace;
  readonly value: ConfigNode;
}

/** A value with its place. */
export type ConfigNode = { readonly place: ConfigPlace } & (
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'list'; readonly items: readonly ConfigNode[] }
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
);

/** An error of either parser, each with its own names for the place. */
interface JsonSyntaxError extends SyntaxError {
  readonly lineNumber?: number;
  readonly columnNumber?: number;
  readonly line?: number;
  readonly column?: number;
}

/** Parses a file; an empty one is an empty object. Throws `ConfigError` with code `CONFIG_SYNTAX`. */
export function parseDocument(text: string, file: string): ConfigNode {
  const source = text.replace(/^\uFEFF/, '');
  if (source.trim() === '') return { kind: 'object', members: [], place: { file, line: 1, column: 1, key: '' } };
  return toNode(parseSyntax(source, file), file, '');
}

/**
 * Two parsers: the one that knows places never ends on some broken texts (a string that ends in a backslash), so the
 * other one looks first.
 */
function parseSyntax(source: string, file: string): ValueNode {
  try {
    JSON5.parse(source);
    return parse(source, { mode: 'json5', allowTrailingCommas: true }).body;
  } catch (error) {
    const { lineNumber, columnNumber, message, ...momoa } = error as JsonSyntaxError;
    let [line, column] = [lineNumber ?? momoa.line ?? 1, columnNumber ?? momoa.column ?? 1];
    // A line that ends too early: the break is counted as column 0 of the next one.
    if (column === 0) [line, column] = [line - 1, (source.split(/\r?\n/)[line - 2]?.length ?? 0) + 1];
    const reason = message.replace(/^JSON5: /, '').replace(/\s*(at \d+:\d+|\(\d+:\d+\))\s*$/, '');
    throw new ConfigError({ file, line, column, key: '' }, `not valid JSON: ${reason}`, 'CONFIG_SYNTAX');
  }
}

function placeOf(node: AnyNode, file: string, key: string): ConfigPlace {
  return { file, line: node.loc.start.line, column: node.loc.start.column, key };
}

function toNode(node: ValueNode, file: string, key: string): ConfigNode {
  const place = placeOf(node, file, key);
  switch (node.type) {
    case 'Object': {
      const members = node.members.map((member) => {
        const name = member.name.type === 'Identifier' ? member.name.name : member.name.value;
        const path = key === '' ? name : `${key}.${name}`;
        return { name, place: placeOf(member.name, file, path), value: toNode(member.value, file, path) };
      });
      return { kind: 'object', members, place };
    }
    case 'Array':
      return {
        kind: 'list',
        items: node.elements.map((element, i) => toNode(element.value, file, `${key}[${i}]`)),
        place,
      };
    case 'Null':
      return { kind: 'scalar', value: null, place };
    case 'NaN':
      return { kind: 'scalar', value: Number.NaN, place };
    case 'Infinity':
      return { kind: 'scalar', value: node.sign === '-' ? -Infinity : Infinity, place };
    default:
      return { kind: 'scalar', value: node.value, place };
  }
}
