/** How the texts of options are read. */

import { InvalidArgumentError } from 'commander';

/** A whole number. Throws for any other text. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** The values of an option that may be repeated. */
export function collected(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}
