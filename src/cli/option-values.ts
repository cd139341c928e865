/** How the texts of options are read. */

import { InvalidArgumentError } from 'commander';
import { CommandFailure, EXIT } from './failure.js';

/** A whole number. Throws for any other text. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
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
