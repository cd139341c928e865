/** Configuration text (JSON with comments, unquoted keys, trailing commas) as a tree with line numbers. */

import { type AnyNode, parse, type ValueNode } from '@humanwhocodes/momoa';
import { quoted } from '../quoted.js';
import { ConfigError, type ConfigPlace } from './diagnostic.js';

export interface Member {
  readonly name: string;
  readonly place: ConfigPlace;
  readonly value: ConfigNode;
}

export type ConfigNode = { readonly place: ConfigPlace } & (
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'list'; readonly items: readonly ConfigNode[] }
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
);

interface JsonSyntaxError extends SyntaxError {
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
 * Comments, and texts with their closing quote if they have one: a text ends at a line break unless it is escaped. A
 * comment without an end extends to the end of the file; otherwise its end would be searched for again at each `/*` in
 * it.
 */
const TEXTS = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|(["'])(?:\\[\s\S]|(?!\1)[^\\\r\n])*(\1)?/g;

/** The parser allows texts over several lines, so without this check it would report a missing quote much later. */
function requireClosedTexts(source: string, file: string): void {
  for (const { index, 1: opening, 2: closing } of source.matchAll(TEXTS)) {
    if (opening === undefined || closing !== undefined) continue;
    const lines = source.slice(0, index).split(/\r?\n/);
    const place = { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, key: '' };
    throw new ConfigError(place, 'not valid JSON: the text has no closing quote', 'CONFIG_SYNTAX');
  }
}

function parseSyntax(source: string, file: string): ValueNode {
  requireClosedTexts(source, file);
  try {
    // The line break is for the parser, which never returns on some texts that end with a backslash.
    return parse(`${source}\n`, { mode: 'json5', allowTrailingCommas: true }).body;
  } catch (error) {
    const { line, column, found } = unexpected(source, error as JsonSyntaxError);
    throw new ConfigError({ file, line, column, key: '' }, `not valid JSON: unexpected ${found}`, 'CONFIG_SYNTAX');
  }
}

/** The text that the parser did not expect: a character or a kind of token. */
function unexpected(source: string, { line = 1, column = 1, message }: JsonSyntaxError) {
  const lines = source.split(/\r?\n/);
  const character = /^Unexpected character '(.)'/s.exec(message)?.[1] ?? lines[line - 1]?.[column - 1];
  if (character === undefined || character === '\n' || message.startsWith('Unexpected end')) {
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, found: 'end of the file' };
  }
  // When the text ends too early, the parser names the last thing before the end.
  const rest = [lines[line - 1]?.slice(column - 1), ...lines.slice(line)].join('\n');
  const isLast = /^(?:[,:{[]|[^\s,:{}[\]]+)\s*$/.test(rest);
  return { line, column, found: quoted(character) + (isLast ? ', or the end of the file after it' : '') };
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

/** The member of an object with this name; the last one if there are several. */
export function memberOf(node: ConfigNode | undefined, name: string | undefined): Member | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.name === name) : undefined;
}

/** The place of a member of an object, or of a member of that, where it is given. */
export function placeIn(node: ConfigNode | undefined, [first, ...rest]: readonly string[]): ConfigPlace | undefined {
  const member = memberOf(node, first);
  return rest.length === 0 ? member?.place : (placeIn(member?.value, rest) ?? member?.place);
}
