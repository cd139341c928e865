/** Results that the addon gives as JSON texts, because parsing a text takes less time than making its objects. */

import { Pauses } from '../turns.js';

/** The function, with the value of its text as the result. */
export function parsed(text: (...args: never[]) => Promise<unknown>) {
  return async function (this: unknown, ...args: never[]): Promise<unknown> {
    return JSON.parse((await text.apply(this, args)) as string);
  };
}

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
