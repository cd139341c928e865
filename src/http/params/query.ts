import type { Parameter, ParameterSchema } from './parameter-schema.js';
import { parameterValue } from './parameter-value.js';

/**
 * The query string of a request. Values are read through the descriptions of their parameters, so that no parameter is
 * read without being described. If a parameter is repeated, its first value counts; an empty value counts as absent.
 */
export class Query {
  readonly #values = new Map<string, string[]>();

  constructor(queryString: string) {
    for (const [name, value] of new URLSearchParams(queryString)) {
      const seen = this.#values.get(name);
      if (seen) seen.push(value);
      else this.#values.set(name, [value]);
    }
  }

  /** A query made of the members of an object. A list repeats its parameter, and null leaves it out. */
  static of(members: Readonly<Record<string, unknown>>): Query {
    const values = Object.entries(members).flatMap(([name, value]) =>
      [value]
        .flat()
        .flatMap((one): [string, string][] => (one === null || one === undefined ? [] : [[name, String(one)]])),
    );
    return new Query(new URLSearchParams(values).toString());
  }

  /** The text of the first value, even if it is empty. */
  raw({ name }: ParameterSchema): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** The first value, or the default. Throws `BadParameter` for one that is not as described. */
  value<T>(parameter: Parameter<T>): T {
    return this.given(parameter) ?? (parameter.schema.default as T);
  }

  /** The first value, whatever the default is. Throws `BadParameter` for one that is not as described. */
  given<T>(parameter: Parameter<T>): T | undefined {
    const text = this.raw(parameter);
    return text ? (parameterValue(parameter, text) as T) : undefined;
  }

  /** Every value that is not empty. Throws `BadParameter` for one that is not as described. */
  all<T>(parameter: Parameter<T>): Array<Exclude<T, undefined>> {
    const texts = (this.#values.get(parameter.name) ?? []).filter((text) => text !== '');
    return texts.map((text) => parameterValue(parameter, text) as Exclude<T, undefined>);
  }

  /** The query with only the n-th value (from 0) of each parameter, or its last value if it has fewer. */
  occurrence(n: number): Query {
    const chosen = new URLSearchParams();
    for (const [name, values] of this.#values) chosen.set(name, values[Math.min(n, values.length - 1)] ?? '');
    return new Query(chosen.toString());
  }

  /** Every parameter with its first value, in the order of the query string. */
  firstValues(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#values].map(([name, values]) => [name, values[0] ?? '']));
  }
}
