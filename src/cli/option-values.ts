/** How the texts of options are read. */

import { InvalidArgumentError } from 'commander';
import { parseTime } from '../http/params/date-time.js';
import { CommandFailure, EXIT } from './failure.js';

/** How a date and time in one text begins. */
const ISO_DATE = /^\d{4}-/;

/** A whole number. Throws for any other text. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** A time of day. Throws for any other text, which requests would read as the present time. */
export function timeOfDay(text: string): string {
  if (parseTime(text) === undefined) throw new InvalidArgumentError('It must be a time such as 8:15 or 5:05pm.');
  return text;
}

/** A time of day, or a date and time in the form of ISO 8601. Throws for any other text. */
export function timeOrInstant(text: string): string {
  return ISO_DATE.test(text) ? text : timeOfDay(text);
}

/** The values of an option that may be repeated. */
export function collected(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** The two sides of `name=value`, which `option` has. Throws `CommandFailure`. */
export function assignment(option: string, text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new CommandFailure(`${option} ${text}: expected name=value`, EXIT.usage);
  return [text.slice(0, at), text.slice(at + 1)];
}
