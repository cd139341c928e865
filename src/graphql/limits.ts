/** What a query may ask for at most, seen before it runs. */

import {
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';

/** Words and signs of a query. */
export const MOST_TOKENS = 20_000;
/** Fields inside fields. */
const DEEPEST = 16;
/** Fields of a query after its fragments are put in. */
const MOST_FIELDS = 20_000;

/** Refuses queries that are nested too deeply or grow too large by fragments. Introspection is left alone. */
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
        new GraphQLError(`The query is nested ${depth} deep, more than ${DEEPEST}`, { nodes: operation }),
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
  /** Fragments that are being measured: one that holds itself is refused elsewhere. */
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
