/** From the text of a query to its validated form. */

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql';
import { type SentError, syntaxError, validationError } from './errors.js';
import { limitRepeats, limitSize, limitText } from './limits.js';

/** A query that may run, or why it may not. */
export type Checked = { document: DocumentNode } | { errors: readonly SentError[] };

/** Most characters of all validated queries that are kept for the next time; each takes about a hundred bytes. */
const KEPT_CHARACTERS = 100_000;
/** Longer queries are not kept. */
const LONGEST_KEPT = 4096;

/** Queries shorter than this are validated without a pause, characters. */
const SHORT = 2000;
/** Errors of one query that are reported. */
const MOST_ERRORS = 20;

/** The limits are checked first, because other rules take long for queries that the limits refuse. */
const LIMITS = [limitRepeats, limitSize];
/** The validation of a long query: each step goes through all of it. */
const STEPS: readonly (readonly ValidationRule[])[] = [LIMITS, ...groups(specifiedRules, 7)];

function groups<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Validates queries against a schema and remembers recent ones. */
export class QueryChecker {
  readonly #checked = new Map<string, Checked>();
  #characters = 0;

  constructor(private readonly schema: GraphQLSchema) {}

  /**
   * Validates a query. `nextTurn` is awaited between two steps, each of which takes some milliseconds for a long query.
   */
  async check(text: string, nextTurn: () => Promise<void>): Promise<Checked> {
    const known = this.#checked.get(text);
    if (known !== undefined) return known;
    const checked = await this.#check(text, nextTurn);
    if (text.length <= LONGEST_KEPT) this.#keep(text, checked);
    return checked;
  }

  #keep(text: string, checked: Checked): void {
    if (!this.#checked.has(text)) this.#characters += text.length;
    this.#checked.set(text, checked);
    for (const oldest of this.#checked.keys()) {
      if (this.#characters <= KEPT_CHARACTERS) break;
      this.#checked.delete(oldest);
      this.#characters -= oldest.length;
    }
  }

  async #check(text: string, nextTurn: () => Promise<void>): Promise<Checked> {
    let document: DocumentNode;
    try {
      limitText(text);
      document = parse(text);
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [syntaxError(error)] };
      throw error;
    }
    const errors: GraphQLError[] = [];
    const steps = text.length > SHORT ? STEPS : [LIMITS, specifiedRules];
    for (const rules of steps) {
      if (steps === STEPS) await nextTurn();
      errors.push(...validate(this.schema, document, rules, { maxErrors: MOST_ERRORS }));
      if (rules === LIMITS && errors.length > 0) break;
    }
    if (errors.length === 0) return { document };
    const inOrder = errors.toSorted((a, b) => (a.positions?.[0] ?? 0) - (b.positions?.[0] ?? 0));
    return { errors: inOrder.slice(0, MOST_ERRORS).map(validationError) };
  }
}
