/**
 * Very long lists of an answer. The library runs the fields of all elements of a list before it returns anything, so
 * these lists are executed part by part, and each part is written and freed before the next.
 */

import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  responsePathAsArray,
} from 'graphql';
import { ListInParts } from '../serialization/sliced-json.js';
import type { GraphReader, LongList, Paced } from './graph-reader.js';

/** Elements whose fields are run together: one batch of the reader. */
const PART = 64;

/** The root of the query, which the resolvers of a list need. */
interface ListRoot {
  readonly reader: GraphReader;
}

/** A list, the field that it is and what the resolvers of that field read. */
interface Noted {
  readonly list: LongList;
  readonly info: GraphQLResolveInfo;
  readonly root: ListRoot;
}

/** An object or list of an answer. */
type Holder = Record<string | number, unknown> | null | undefined;

/** Where something is in an answer. */
type Place = readonly (string | number)[];

/** The name of the field whose value is a part of a list. */
const ELEMENTS = 'elements';

/** The very long lists of one query. */
export class StreamedLists {
  /** Lists that the current execution has returned. */
  #noted: Noted[] = [];
  readonly #errors: GraphQLError[] = [];
  #exceeded: GraphQLError | undefined;
  #giveUp: () => void = () => {};

  /** Errors of elements of these lists so far. */
  get errors(): readonly GraphQLError[] {
    return this.#errors;
  }

  /** Why the lists end early, if they do. */
  get exceeded(): GraphQLError | undefined {
    return this.#exceeded;
  }

  /** What a resolver returns for the list: nothing for now, unless a missing element would make the whole list null. */
  note(list: LongList, info: GraphQLResolveInfo, root: ListRoot): Paced<unknown> {
    if (isNonNullType(elementType(info))) return list.paced();
    this.#noted.push({ list, info, root });
    return [];
  }

  /** Puts the lists that were noted while `data` was made in their places. */
  place(data: unknown, placeOf: (place: Place) => Place = (place) => place): void {
    const noted = this.#noted;
    this.#noted = [];
    for (const one of noted) {
      const path = responsePathAsArray(one.info.path);
      const name = path.at(-1) ?? '';
      const holder = path.slice(0, -1).reduce<Holder>((value, key) => value?.[key] as Holder, data as Holder);
      // Null when another field of the object failed.
      if (holder?.[name]) holder[name] = new ListInParts(() => this.#parts(one, placeOf(path)));
    }
  }

  /** The query's clock stops while a part is written, because the client may be slow. */
  async *#parts({ list, info, root }: Noted, place: Place): AsyncGenerator<readonly unknown[]> {
    const query = {
      schema: partSchema(info),
      document: partQuery(info),
      variableValues: info.variableValues,
      contextValue: root,
    };
    const { allowance } = root.reader;
    const before = allowance.held;
    for (let from = 0; from < list.length && this.#exceeded === undefined; from += PART) {
      const placeOf = ([, at, ...rest]: Place) => [...place, from + Number(at), ...rest];
      allowance.startClock();
      const elements = list.paced(from, Math.min(from + PART, list.length));
      const { data, errors = [] } = await this.#run({ ...query, rootValue: { [ELEMENTS]: elements } });
      for (const error of errors) this.#errors.push(moved(error, placeOf));
      this.place(data, placeOf);
      allowance.stopClock();
      yield (data?.[ELEMENTS] as unknown[] | undefined) ?? [];
      allowance.release(before);
    }
  }

  /** Runs a query. There is no result when it has read too much or runs too long. */
  #run(query: ExecutionArgs): Promise<ExecutionResult> {
    return new Promise((resolve, reject) => {
      this.#giveUp = () => resolve({});
      Promise.resolve(execute(query)).then(resolve, reject);
    });
  }

  /** The query has read too much or runs too long: all lists end here. */
  end(error: GraphQLError): void {
    this.#exceeded = error;
    this.#giveUp();
  }
}

function elementType({ returnType }: GraphQLResolveInfo): GraphQLOutputType {
  const list = getNullableType(returnType);
  if (!isListType(list)) throw new Error(`${returnType} is not a list`);
  return list.ofType;
}

const schemas = new WeakMap<object, GraphQLSchema>();

/** The schema whose only field holds the elements. */
function partSchema(info: GraphQLResolveInfo): GraphQLSchema {
  const element = elementType(info);
  const name = getNamedType(element);
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const query = new GraphQLObjectType({ name: 'Part', fields: { [ELEMENTS]: { type: new GraphQLList(element) } } });
  const outer = info.schema.getQueryType();
  const types = Object.values(info.schema.getTypeMap()).filter((type) => isObjectType(type) && type !== outer);
  const directives = info.schema.getDirectives();
  const schema = new GraphQLSchema({ query, types, directives, assumeValid: true });
  schemas.set(name, schema);
  return schema;
}

/** The query for the selected fields of the elements. */
function partQuery({ operation, fieldNodes, fragments }: GraphQLResolveInfo): DocumentNode {
  const name = { kind: Kind.NAME, value: ELEMENTS } as const;
  const selections = fieldNodes.map(
    ({ selectionSet, loc }) => ({ kind: Kind.FIELD, name, selectionSet, loc }) as const,
  );
  const selectionSet = { kind: Kind.SELECTION_SET, selections } as const;
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }, ...Object.values(fragments)] };
}

function moved(error: GraphQLError, placeOf: (place: Place) => Place): GraphQLError {
  const { message, nodes, source, positions, path, originalError, extensions } = error;
  return new GraphQLError(message, {
    nodes,
    source,
    positions,
    path: path && placeOf(path),
    originalError,
    extensions,
  });
}
