/**
 * The possible content of a configuration, as data: the same rows are used to read files, to warn about unknown keys
 * and for the documentation.
 */

import { elementsOf } from '../comma-list.js';
import { MOST_ELEMENTS } from '../native/entity-names.js';
import { isInRange, MOST_COST, MOST_SECONDS, type NumberRange } from '../native/number-limits.js';
import { quoted } from '../quoted.js';
import { didYouMean } from '../suggestion.js';
import { ConfigError, type ConfigWarning } from './diagnostic.js';
import { type ConfigNode, memberOf } from './document.js';
import { PLACE_FORM, type TextForm } from './text-forms.js';

/** Longest time that a timer waits, with room for those that wait somewhat longer than they are told. */
export const MOST_WAIT_SECONDS = 1_000_000;

/** What warnings say of keys and values that other servers of the interface use. */
const NO_EFFECT = 'has no effect on this server';

/** What one value may be. */
export type Field =
  | { readonly kind: 'boolean' }
  | ({ readonly kind: 'number'; readonly integer?: boolean } & NumberRange)
  /** With `useful`, any other text has no effect and gives a warning. */
  | {
      readonly kind: 'string';
      readonly oneOf?: readonly string[];
      readonly form?: TextForm;
      readonly useful?: readonly string[];
    }
  | { readonly kind: 'list'; readonly items: Field }
  /** A comma list, or a list of such texts. */
  | { readonly kind: 'names'; readonly form: TextForm; readonly mayBeEmpty: boolean }
  /** Named members; others are unknown keys. Those of `required` have to be there, and `faultOf` looks at them together. */
  | {
      readonly kind: 'object';
      readonly fields: Fields;
      readonly required?: readonly string[];
      readonly faultOf?: (members: Readonly<Record<string, ConfigValue>>) => MemberFault | undefined;
    }
  /** Any member names; all values are of one kind. */
  | { readonly kind: 'map'; readonly values: Field; readonly names?: readonly string[] }
  /** The first of these that the value fits. */
  | { readonly kind: 'either'; readonly choices: readonly Field[]; readonly expected: string }
  /**
   * A value that fits this. Any other one is left out with a warning, so that one bad entry does not spoil the file.
   */
  | { readonly kind: 'optional'; readonly field: Field }
  /** A member that other servers of the interface use. It has to fit this, gives a warning, and is left out. */
  | { readonly kind: 'unused'; readonly field: Field }
  /** Any value; it is checked where it is used. */
  | { readonly kind: 'any' };

/** What is wrong with an object whose members are right one by one. */
export interface MemberFault {
  /** The member to name; otherwise the fault is that of the whole object. */
  readonly member?: string;
  readonly reason: string;
}

/** Members of an object by name. */
export type Fields = Readonly<Record<string, Field>>;

/** Plain value read from a configuration. */
export type ConfigValue =
  | string
  | number
  | boolean
  | null
  | readonly ConfigValue[]
  | { readonly [key: string]: ConfigValue };

/** `true` or `false`; quoted ones count too, as in the reference. */
export const BOOLEAN: Field = { kind: 'boolean' };
export const NUMBER: Field = { kind: 'number' };
/** A number that is not negative. */
export const AMOUNT: Field = { kind: 'number', minimum: 0 };
/** Seconds that a search adds along a path; with more than the engine's limit no plan would be possible. */
export const DELAY: Field = { kind: 'number', integer: true, minimum: 0, maximum: MOST_SECONDS };
/** Costs and factors of costs, with the engine's limit. */
export const COST: Field = { kind: 'number', minimum: 0, maximum: MOST_COST };
export const INTEGER: Field = { kind: 'number', integer: true };
/** A whole number from 0. */
export const COUNT: Field = { kind: 'number', integer: true, minimum: 0 };
/** A whole number from 1. */
export const POSITIVE: Field = { kind: 'number', integer: true, minimum: 1 };
/** Seconds that a timer waits. One that is set for more than 24 days would not wait at all. */
export const WAIT: Field = { kind: 'number', integer: true, minimum: 0, maximum: MOST_WAIT_SECONDS };
/** The same in milliseconds. */
export const WAIT_MS: Field = { kind: 'number', integer: true, minimum: 0, maximum: MOST_WAIT_SECONDS * 1000 };
export const TEXT: Field = { kind: 'string' };
/** A directory, or a place in an object store. */
export const PLACE: Field = { kind: 'string', form: PLACE_FORM };
/** A member without effect on this server. */
export const unused = (field: Field): Field => ({ kind: 'unused', field });

/**
 * Reads the value of a field. Unknown keys and `null` become warnings and are left out; a value that does not fit
 * throws `ConfigError`.
 */
export function read(node: ConfigNode, field: Field, warnings: ConfigWarning[]): ConfigValue {
  switch (field.kind) {
    case 'any':
      return plain(node);
    case 'list':
      if (node.kind !== 'list') throw expected(node, 'a list', hasSecrets(field));
      return node.items.map((item) => read(item, field.items, warnings)).filter((item) => item !== null);
    case 'names':
      return readNames(node, field, warnings);
    case 'object':
    case 'map':
      return readMembers(node, field, warnings);
    case 'either':
      return readEither(node, field, warnings);
    case 'optional':
      return readOptional(node, field.field, warnings);
    case 'unused':
      read(node, field.field, warnings);
      return null;
    case 'boolean':
      return readBoolean(node);
    case 'number':
      return readNumber(node, field);
    case 'string':
      return readString(node, field, warnings);
  }
}

/** Refuses lists that no request could have either. */
function readNames(
  node: ConfigNode,
  { form, mayBeEmpty }: Extract<Field, { kind: 'names' }>,
  warnings: ConfigWarning[],
): ConfigValue {
  if (node.kind === 'object') throw expected(node, form.expected);
  const texts: Field = { kind: 'string', form };
  const names = read(node, node.kind === 'list' ? { kind: 'list', items: texts } : texts, warnings);
  const { length } = elementsOf(String(names));
  if (length > MOST_ELEMENTS) throw new ConfigError(node.place, `expected at most ${MOST_ELEMENTS} elements`);
  if (length === 0 && !mayBeEmpty) throw expected(node, form.expected);
  return names;
}

function readMembers(
  node: ConfigNode,
  field: Extract<Field, { kind: 'object' | 'map' }>,
  warnings: ConfigWarning[],
): ConfigValue {
  if (node.kind !== 'object') throw expected(node, 'an object { … }', hasSecrets(field));
  const known = field.kind === 'object' ? Object.keys(field.fields) : field.names;
  const result: Record<string, ConfigValue> = Object.create(null);
  for (const { name, place, value } of node.members) {
    const member =
      field.kind === 'map' ? field.values : Object.hasOwn(field.fields, name) ? field.fields[name] : undefined;
    if (member === undefined || (known !== undefined && !known.includes(name))) {
      const suggestion = didYouMean(name, known ?? [], '"');
      warnings.push({ ...place, fault: 'unknown key', outcome: 'ignored', suggestion });
    } else if (value.kind === 'scalar' && value.value === null) {
      warnings.push({ ...place, fault: 'is null', outcome: 'the default is used' });
    } else {
      if (member.kind === 'unused') warnings.push({ ...place, fault: NO_EFFECT, outcome: 'ignored' });
      if (name in result) warnings.push({ ...place, fault: 'given twice', outcome: 'the last one counts' });
      const found = read(value, member, warnings);
      if (found !== null) result[name] = found;
    }
  }
  if (field.kind === 'object') requireUsable(node, field, result);
  return result;
}

/** Throws when a member is missing, or when the members do not go together. */
function requireUsable(
  node: Extract<ConfigNode, { kind: 'object' }>,
  { fields, required, faultOf }: Extract<Field, { kind: 'object' }>,
  found: Readonly<Record<string, ConfigValue>>,
): void {
  const missing = required?.find((name) => !(name in found));
  if (missing !== undefined) {
    // It may be there with another name.
    const unknown = node.members.map(({ name }) => name).filter((name) => !Object.hasOwn(fields, name));
    const besides = unknown.length === 0 ? '' : ` (unknown: ${unknown.join(', ')})`;
    throw new ConfigError(node.place, `${missing} is missing${besides}`);
  }
  const fault = faultOf?.(found);
  if (fault === undefined) return;
  throw new ConfigError(memberOf(node, fault.member)?.place ?? node.place, fault.reason);
}

function readOptional(node: ConfigNode, field: Field, warnings: ConfigWarning[]): ConfigValue {
  try {
    return read(node, field, warnings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    warnings.push({ ...error.place, fault: error.expected, outcome: `so ${node.place.key} is left out` });
    return null;
  }
}

function readEither(
  node: ConfigNode,
  field: Extract<Field, { kind: 'either' }>,
  warnings: ConfigWarning[],
): ConfigValue {
  for (const choice of field.choices) {
    const own: ConfigWarning[] = [];
    try {
      const value = read(node, choice, own);
      warnings.push(...own);
      return value;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // A fault inside an object explains more than that none of the choices fits.
      if (error.place.key !== node.place.key) throw error;
    }
  }
  throw expected(node, field.expected);
}

function readBoolean(node: ConfigNode): boolean {
  const value = scalarOf(node);
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw expected(node, 'true or false');
}

function readNumber(node: ConfigNode, field: Extract<Field, { kind: 'number' }>): number {
  const value = scalarOf(node);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const whole = !field.integer || Number.isInteger(number);
  if (typeof number === 'number' && whole && isInRange(field, number)) return number;
  throw expected(node, (field.integer ? 'a whole number' : 'a number') + limitsOf(field));
}

function limitsOf({ minimum, maximum }: Extract<Field, { kind: 'number' }>): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` of at most ${maximum}`;
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`;
}

function readString(
  node: ConfigNode,
  { oneOf, form, useful }: Extract<Field, { kind: 'string' }>,
  warnings: ConfigWarning[],
): string {
  const value = scalarOf(node);
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string') throw expected(node, 'a text in quotes');
  if (oneOf !== undefined && !oneOf.includes(text)) {
    const { place, expected: what } = expected(node, `one of ${oneOf.join(', ')}`);
    throw new ConfigError(place, what + didYouMean(text, oneOf, '"'));
  }
  if (form !== undefined && !form.fits(text)) throw expected(node, form.expected, form.isSecret);
  if (useful !== undefined && !useful.includes(text)) {
    const suggestion = didYouMean(text, useful, '"');
    warnings.push({
      ...node.place,
      fault: `${describe(node)} ${NO_EFFECT}`,
      outcome: 'ignored',
      suggestion,
    });
  }
  return text;
}

function scalarOf(node: ConfigNode): string | number | boolean | null | undefined {
  return node.kind === 'scalar' ? node.value : undefined;
}

/** With `isSecret`, the message does not repeat what was found, which may be a password. */
function expected(node: ConfigNode, what: string, isSecret = false): ConfigError {
  return new ConfigError(node.place, `expected ${what}${isSecret ? '' : `, found ${describe(node)}`}`);
}

/** Whether a field is a secret text, or has some inside. */
function hasSecrets(field: Field): boolean {
  if (field.kind === 'list') return hasSecrets(field.items);
  if (field.kind === 'object') return Object.values(field.fields).some(hasSecrets);
  return field.kind === 'string' && field.form?.isSecret === true;
}

function describe(node: ConfigNode): string {
  if (node.kind === 'object') return 'an object';
  if (node.kind === 'list') return node.items.length === 0 ? 'an empty list' : 'a list';
  // Not as JSON, which has no word for numbers such as `NaN`.
  return typeof node.value === 'number' ? String(node.value) : quoted(node.value);
}

function plain(node: ConfigNode): ConfigValue {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.members.map(({ name, value }) => [name, plain(value)]));
}
