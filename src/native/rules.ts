/**
 * Rules for the arguments of the library: which members an object has, and which numbers they may hold. The addon
 * checks only the types of the members that it knows: it ignores others, and turns `NaN` into 0 where it expects a
 * whole number.
 */

import type { Mode, Positions, Surface } from '#addon';
import { didYouMean } from '../suggestion.js';
import { TrestleError } from './errors.js';
import { INT_MAX, isInRange, type NumberRange } from './number-limits.js';

/** A number within a range; never `NaN`. */
export interface NumberRule extends NumberRange {
  readonly kind: 'number';
  readonly integer?: true;
  /** Whether the addon ignores fractions, which calculations leave in arguments. Settings have to be whole. */
  readonly ignoresFractions?: true;
  /** What the number counts, where that is often mistaken. */
  readonly unit?: string;
  /** What messages call it, where it is an argument itself. */
  readonly name?: string;
}

/** A list whose elements follow one rule. */
interface ListRule<R extends Rule = Rule> {
  readonly kind: 'list';
  readonly each: R;
  readonly name?: string;
}

/** An object with any names and one rule for what they hold. */
interface ValuesRule {
  readonly kind: 'values';
  readonly each: NumberRule;
}

/** An object with these members, which may be absent, and no others. */
interface MembersRule<M extends Members = Members> {
  readonly kind: 'members';
  readonly members: M;
  /** Objects that say where something is may be those of the program, with members of its own. */
  readonly mayHaveMore: boolean;
  /** Why this object cannot be used. */
  readonly fault: (value: Readonly<Record<string, unknown>>) => string | undefined;
}

/** One of several kinds of objects, which `type` tells apart. */
interface VariantsRule<V extends Readonly<Record<string, MembersRule>> = Readonly<Record<string, MembersRule>>> {
  readonly kind: 'variants';
  readonly variants: V;
  readonly name?: string;
}

/** Something with functions, which the addon would call. */
interface UsableRule {
  readonly kind: 'usable';
  readonly isUsable: (value: object) => boolean;
  /** What is expected. */
  readonly expected: string;
  readonly name?: string;
}

/** The rule for a value; `null` where the addon's own checks are enough. */
export type Rule = NumberRule | ListRule | ValuesRule | MembersRule | VariantsRule | UsableRule | null;

/** Rules of members by their names. */
export type Members = Readonly<Record<string, Rule>>;

type NeverChecked = string | boolean | Uint8Array | Int32Array | Surface;

/** The rule that a type needs. So the compiler reports a number without a range, and a member without a rule. */
export type RuleOf<T> = [T] extends [number]
  ? NumberRule
  : [T] extends [NeverChecked]
    ? null
    : [T] extends [AbortSignal | ((...args: never[]) => unknown)]
      ? UsableRule
      : [Positions] extends [T]
        ? null
        : [T] extends [Float64Array]
          ? ListRule<NumberRule>
          : [T] extends [readonly (infer E)[]]
            ? RuleOf<E> extends null
              ? null
              : ListRule<RuleOf<E>>
            : [keyof T] extends [never]
              ? null
              : string extends keyof T
                ? null
                : [Mode] extends [keyof T]
                  ? ValuesRule
                  : [T] extends [{ readonly type: string }]
                    ? VariantsRule<{
                        [K in T['type']]: MembersRule<MembersOf<Omit<Extract<T, { type: K }>, 'type'>>>;
                      }>
                    : MembersRule<MembersOf<T>>;

/** The rules that the members of a type need. */
export type MembersOf<T> = { readonly [K in keyof T]-?: RuleOf<NonNullable<T[K]>> };

/** A number within a range; by default any from 0. */
export const number = (minimum = 0, maximum?: number): NumberRule => ({
  kind: 'number',
  minimum,
  ...(maximum !== undefined && { maximum }),
});

/** A whole number within a range. */
export const whole = (minimum = 0, maximum = INT_MAX): NumberRule => ({
  ...number(minimum, maximum),
  integer: true,
});

/** A list whose elements follow a rule. */
export const list = <R extends Rule>(each: R): ListRule<R> => ({ kind: 'list', each });

/** An object with any names, like the modes of a map. */
export const values = (each: NumberRule): ValuesRule => ({ kind: 'values', each });

/** An object with these members only. */
export const members = <M extends Members>(
  own: M,
  fault: MembersRule['fault'] = () => undefined,
  mayHaveMore = false,
): MembersRule<M> => ({ kind: 'members', members: own, mayHaveMore, fault });

/** A function of the program. */
export const FUNCTION: UsableRule = {
  kind: 'usable',
  isUsable: (value) => typeof value === 'function',
  expected: 'a function',
};

/** A signal; those of other realms and of libraries are not instances of `AbortSignal`. */
export const SIGNAL: UsableRule = {
  kind: 'usable',
  isUsable: (value) =>
    typeof (value as Partial<AbortSignal>).aborted === 'boolean' &&
    typeof (value as Partial<AbortSignal>).addEventListener === 'function',
  expected: 'an AbortSignal',
};

/** The rule for an argument that messages call by its name. */
export const named = <R extends { readonly name?: string }>(name: string, rule: R): R => ({ ...rule, name });

/** Throws `INVALID_REQUEST` for the first argument that does not follow its rule. */
export function checkArguments(rules: readonly Rule[], given: readonly unknown[]): void {
  for (const [i, rule] of rules.entries()) check(rule, given[i], (rule !== null && 'name' in rule && rule.name) || '');
}

function check(rule: Rule, value: unknown, name: string): void {
  if (rule === null || value === undefined || value === null) return;
  if (rule.kind === 'number') return checkNumber(rule, value, name);
  if (rule.kind === 'list') {
    if (typeof value === 'object') checkList(rule, value, name);
    return;
  }
  if (rule.kind === 'usable') {
    if (!rule.isUsable(value)) throw refusal(name, `${rule.expected} is expected`);
    return;
  }
  // The addon reads members of any value: those of a text or number are absent.
  if (typeof value !== 'object' || Array.isArray(value)) throw refusal(name, 'an object is expected');
  const given = value as Readonly<Record<string, unknown>>;
  if (rule.kind === 'members') return checkMembers(rule, given, name);
  if (rule.kind === 'values') {
    for (const [key, held] of Object.entries(given)) check(rule.each, held, below(name, key));
    return;
  }
  const { type, ...rest } = given;
  if (typeof type === 'string' && Object.hasOwn(rule.variants, type)) check(rule.variants[type] ?? null, rest, name);
}

/** Whether a number follows its rule. Other values pass, because the addon itself refuses them. */
function follows(rule: NumberRule, value: unknown): boolean {
  if (typeof value !== 'number') return true;
  return isInRange(rule, value) && (!rule.integer || Number.isInteger(value));
}

function checkNumber(rule: NumberRule, value: unknown, name: string): void {
  if (follows(rule, value)) return;
  const { minimum = -Infinity, maximum, integer, unit } = rule;
  const range = maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const kind = integer ? 'a whole number ' : '';
  const must = minimum === -Infinity ? '' : `, but must be ${kind}${range}${unit === undefined ? '' : ` ${unit}`}`;
  throw refusal(name, `is ${value}${must}`);
}

function checkList({ each }: ListRule, value: object, name: string): void {
  // May be a typed array too, which may be long. The addon itself refuses other objects.
  const elements = value as ArrayLike<unknown>;
  for (let i = 0; i < elements.length; i += 1) {
    if (each?.kind !== 'number' || !follows(each, elements[i])) check(each, elements[i], `${name}[${i}]`);
  }
}

function checkMembers(
  { members: known, mayHaveMore, fault }: MembersRule,
  value: Readonly<Record<string, unknown>>,
  name: string,
): void {
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(known, key)) {
      check(known[key] ?? null, value[key], below(name, key));
    } else if (!mayHaveMore) {
      throw refusal(below(name, key), `is unknown${didYouMean(key, Object.keys(known))}`);
    }
  }
  const wrong = fault(value);
  if (wrong !== undefined) throw refusal(name, wrong);
}

const below = (name: string, key: string) => (name === '' ? key : `${name}.${key}`);

function refusal(name: string, what: string): TrestleError {
  return new TrestleError('INVALID_REQUEST', name === '' ? what : `${name}: ${what}`);
}
