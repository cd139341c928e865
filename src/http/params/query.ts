import { BadParameter, quoted } from './bad-parameter.js';

const INTEGER = /^[+-]?\d{1,19}$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/;
const INT_MAX = 2 ** 31 - 1;

/**
 * The query string of a request, read by type. The first value of a repeated parameter counts, an empty value counts as
 * absent, and only `true` (in any case) is true.
 */
export class Query {
  private readonly values = new Map<string, string[]>();

  constructor(queryString: string) {
    for (const [name, value] of new URLSearchParams(queryString)) {
      const seen = this.values.get(name);
      if (seen) seen.push(value);
      else this.values.set(name, [value]);
    }
  }

  /** The first value, even if it is empty. */
  raw(name: string): string | undefined {
    return this.values.get(name)?.[0];
  }

  /** The first value, unless it is empty. */
  text(name: string): string | undefined {
    return this.raw(name) || undefined;
  }

  /** Every value that is not empty. */
  all(name: string): string[] {
    return (this.values.get(name) ?? []).filter((value) => value !== '');
  }

  /** The non-empty elements of a comma list. */
  list(name: string): string[] | undefined {
    return this.text(name)
      ?.split(',')
      .filter((element) => element !== '');
  }

  /** The query with only the n-th value (from 0) of each parameter, or the last one of those with fewer. */
  occurrence(n: number): Query {
    const chosen = new URLSearchParams();
    for (const [name, values] of this.values) chosen.set(name, values[Math.min(n, values.length - 1)] ?? '');
    return new Query(chosen.toString());
  }

  boolean(name: string): boolean | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : text.toLowerCase() === 'true';
  }

  /** A 32-bit integer. */
  integer(name: string): number | undefined {
    const text = this.text(name)?.trim();
    if (text === undefined) return undefined;
    const value = INTEGER.test(text) ? Number(text) : Number.NaN;
    if (!(Math.abs(value) <= INT_MAX)) throw new BadParameter(name, `${quoted(text)} is not an integer`);
    return value;
  }

  /** A finite decimal number. */
  decimal(name: string): number | undefined {
    const text = this.text(name)?.trim();
    if (text === undefined) return undefined;
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (!Number.isFinite(value)) throw new BadParameter(name, `${quoted(text)} is not a number`);
    return value;
  }

  /** One of a set of constants, in exact case. */
  oneOf<T extends string>(name: string, constants: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const found = constants.find((constant) => constant === text);
    if (found === undefined) {
      throw new BadParameter(name, `${quoted(text)} is not one of ${constants.join(', ')}`);
    }
    return found;
  }

  /** Every parameter with its first value, in the order of the query string. */
  firstValues(): Array<[name: string, value: string]> {
    return [...this.values].map(([name, values]) => [name, values[0] ?? '']);
  }
}
