/** Reads the text of a parameter as its schema says. */

import { INT_MAX, isInRange, type NumberRange } from '../../native/number-limits.js';
import { quoted } from '../../quoted.js';
import { BadParameter } from './bad-parameter.js';
import type { ParameterSchema, ParameterValue, ValueSchema } from './parameter-schema.js';

// This pattern can match a text in one way only, so that it takes little time for any text.
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;
/** A text that means 0, unlike 1e-999, which becomes 0 only by rounding. */
const ZERO = /^[+-]?[0.]+(e|$)/i;

/**
 * The value of a text that is not empty. Whole numbers have 32 bits and may be written as decimals (`600.0`), decimals
 * are finite, texts of a set are in exact case, and only `true` (in any case) is true. Throws `BadParameter` for any other
 * number or text.
 */
export function parameterValue({ name, schema }: ParameterSchema, text: string): ParameterValue {
  if (schema.type === 'boolean') return text.toLowerCase() === 'true';
  if (schema.type === 'string') return checkedText(name, schema, text);
  const value = schema.type === 'integer' ? wholeNumber(name, text.trim()) : decimal(name, text.trim());
  checkRange(name, schema, value);
  return value;
}

function checkedText(name: string, { enum: known }: ValueSchema, text: string): string {
  if (known === undefined || known.includes(text)) return text;
  throw new BadParameter(name, `${quoted(text)} is not one of ${known.join(', ')}`);
}

function wholeNumber(name: string, text: string): number {
  const value = number(text);
  // Programs that have only decimals write 600 as 600.0 or 6e+02.
  const isWhole = Number.isInteger(value) && (value !== 0 || ZERO.test(text));
  if (!isWhole) throw new BadParameter(name, `${quoted(text)} is not a whole number`);
  if (Math.abs(value) <= INT_MAX) return value;
  throw new BadParameter(name, `${quoted(text)} is not a whole number from -${INT_MAX} to ${INT_MAX}`);
}

function decimal(name: string, text: string): number {
  const value = number(text);
  if (!Number.isFinite(value)) throw new BadParameter(name, `${quoted(text)} is not a number`);
  return value;
}

/** NaN for other texts. */
function number(text: string): number {
  // R writes 100000 as 1e+05, and some of its packages leave the plus sign in the address, where it means a blank.
  const written = text.replace(/(?<=[eE]) /, '+');
  return DECIMAL.test(written) ? Number(written) : Number.NaN;
}

function checkRange(name: string, range: NumberRange, value: number): void {
  if (isInRange(range, value)) return;
  const { minimum, maximum } = range;
  if (maximum === undefined) throw new BadParameter(name, `${value} is less than ${minimum}`);
  throw new BadParameter(name, `${value} is not in range [${minimum ?? '-∞'},${maximum}]`);
}
