/** Long lists that the addon gives as JSON texts, because parsing a text takes less time than making its objects. */

import { Pauses } from './pauses.js';

/** A function that gives the elements of all lists; the program can do other work while they are parsed. */
export function parsedInParts(texts: (...args: never[]) => Promise<unknown>) {
  return async function (this: unknown, ...args: never[]): Promise<unknown[]> {
    const pauses = new Pauses();
    const all: unknown[] = [];
    for (const text of (await texts.apply(this, args)) as readonly string[]) {
      await pauses.takeIfDue();
      all.push(...JSON.parse(text));
    }
    return all;
  };
}
