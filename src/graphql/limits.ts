/** Limits on what a query may request, checked before it runs. */

import {
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  TokenKind,
  type ValidationRule,
} from 'graphql';

/** Most words and signs of a query. */
const MOST_TOKENS = 10_000;
/** Most brackets of any kind that are open at once: the parser recurses for each of them. */
const MOST_OPEN = 100;
/** Most fields of one name, or spreads, side by side: each is compared with all others. */
const MOST_ALIKE = 100;
/** Greatest depth of nested fields. */
const DEEPEST = 16;
/** Most fields of a query with its fragments expanded. */
const MOST_FIELDS = 20_000;

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Throws a `GraphQLError` for a text that should not reach the parser, because it has too many words or nested
 * brackets.
 */
export function limitText(text: string): void {
  const source = new Source(text);
  const lexer = new Lexer(source);
  let open = 0;
  for (let words = 0; lexer.advance().kind !== TokenKind.EOF; words++) {
    const { kind, start } = lexer.token;
    if (OPENING.has(kind)) open += 1;
    else if (CLOSING.has(kind)) open -= 1;
    const complaint =
      open > MOST_OPEN
        ? `more than ${MOST_OPEN} open brackets`
        : words >= MOST_TOKENS
          ? `more than ${MOST_TOKENS} words and signs`
          : undefined;
    if (complaint !== undefined) {
      throw new GraphQLError(`Syntax Error: The query has ${complaint}`, { source, positions: [start] });
    }
  }
}

/** Refuses queries whose validation would take long, because they repeat the same name, or fragments, side by side. */
export const limitRepeats: ValidationRule = (context) => ({
  SelectionSet({ selections }: SelectionSetNode) {
    const counts = new Map<string, number>();
    for (const selection of selections) {
      const name = responseName(selection);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      if (count <= MOST_ALIKE) continue;
      context.reportError(
        new GraphQLError(`The query has more than ${MOST_ALIKE} equal fields or fragments in one place`, {
          nodes: selection,
        }),
      );
      return false;
    }
    return undefined;
  },
});

function responseName(selection: SelectionNode): string {
  return selection.kind === Kind.FIELD ? (selection.alias ?? selection.name).value : '...';
}

/** Refuses queries that are nested too deeply or grow too large by fragments. Introspection is not limited. */
export const limitSize: ValidationRule = (context) => ({
  OperationDefinition(operation: OperationDefinitionNode) {
    const measured = new Map<string, Size>();
    const { depth, fields } = size(operation.selectionSet, {
      fragment: (name) => context.getFragment(name) ?? undefined,
      measured,
      open: new Set(),
    });
    if (depth > DEEPEST) {
      context.reportError(
        new GraphQLError(`The query is nested ${depth} levels deep, but at most ${DEEPEST} are allowed`, {
          nodes: operation,
        }),
      );
    }
    if (fields > MOST_FIELDS) {
      context.reportError(new GraphQLError(`The query has more than ${MOST_FIELDS} fields`, { nodes: operation }));
    }
  },
});

interface Size {
  depth: number;
  fields: number;
}

interface Measuring {
  fragment(name: string): FragmentDefinitionNode | undefined;
  /** Sizes of fragments that were seen before. */
  readonly measured: Map<string, Size>;
  /** Fragments that are being measured; one that contains itself is refused by the library. */
  readonly open: Set<string>;
}

function size(set: SelectionSetNode, measuring: Measuring): Size {
  const total: Size = { depth: 0, fields: 0 };
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD && selection.name.value.startsWith('__')) continue;
    const own = selection.kind === Kind.FRAGMENT_SPREAD ? fragmentSize(selection.name.value, measuring) : undefined;
    const inner =
      own ??
      ('selectionSet' in selection && selection.selectionSet
        ? size(selection.selectionSet, measuring)
        : { depth: 0, fields: 0 });
    const self = selection.kind === Kind.FIELD ? 1 : 0;
    total.depth = Math.max(total.depth, inner.depth + self);
    total.fields += inner.fields + self;
  }
  return total;
}

function fragmentSize(name: string, measuring: Measuring): Size {
  const known = measuring.measured.get(name);
  const fragment = measuring.fragment(name);
  if (known !== undefined || fragment === undefined || measuring.open.has(name))
    return known ?? { depth: 0, fields: 0 };
  measuring.open.add(name);
  const found = size(fragment.selectionSet, measuring);
  measuring.open.delete(name);
  measuring.measured.set(name, found);
  return found;
}
