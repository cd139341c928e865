/** From the text of a query to its checked form. */

import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import { type SentError, syntaxError, validationError } from './errors.js';
import { limitRepeats, limitSize, limitText } from './limits.js';

/** A query that may run, or why it may not. */
export type Checked = { document: DocumentNode } | { errors: readonly SentError[] };

/** Checked queries that are kept for the next time. */
const KEPT = 200;
/** Longer queries are not kept. */
const KEPT_CHARACTERS = 4096;

/** Checks queries against a schema and remembers those it has seen. */
export class QueryChecker {
  readonly #checked = new Map<string, Checked>();

  constructor(private readonly schema: GraphQLSchema) {}

  check(text: string): Checked {
    const known = this.#checked.get(text);
    if (known !== undefined) return known;
    const checked = this.#check(text);
    if (text.length > KEPT_CHARACTERS) return checked;
    this.#checked.set(text, checked);
    const [oldest] = this.#checked.keys();
    if (this.#checked.size > KEPT && oldest !== undefined) this.#checked.delete(oldest);
    return checked;
  }

  #check(text: string): Checked {
    let document: DocumentNode;
    try {
      limitText(text);
      document = parse(text);
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [syntaxError(error)] };
      throw error;
    }
    // The limits come first: other rules take long for what they refuse.
    const limits = validate(this.schema, document, [limitRepeats, limitSize], { maxErrors: 20 });
    const errors = limits.length > 0 ? limits : validate(this.schema, document, specifiedRules, { maxErrors: 20 });
    return errors.length > 0 ? { errors: errors.map(validationError) } : { document };
  }
}
