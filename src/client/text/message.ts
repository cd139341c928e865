/** Texts with values in them. */

import { isolated } from './isolated.js';
import type en from './languages/en.js';

/** A text in the plural forms of a language; the number is `count`. */
interface Plural {
  readonly one: string;
  readonly many?: string;
  readonly other: string;
}

export type Message = string | Plural;

type English = typeof en;

/** The texts that each language has: the keys of the English texts, with plurals where these have them. */
export type Texts = {
  readonly [A in keyof English]: {
    readonly [K in keyof English[A]]: English[A][K] extends string ? string : Plural;
  };
};

/** The message with `{name}` replaced by the values. Numbers are written as in the language. */
export function messageText(
  message: Message,
  values: Readonly<Record<string, string | number>>,
  language: string,
): string {
  const pattern = typeof message === 'string' ? message : pluralForm(message, Number(values.count), language);
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (typeof value === 'number') return new Intl.NumberFormat(language).format(value);
    return value === undefined ? whole : isolated(value);
  });
}

function pluralForm(message: Plural, count: number, language: string): string {
  const category = new Intl.PluralRules(language).select(count);
  return (category === 'one' ? message.one : category === 'many' ? message.many : undefined) ?? message.other;
}
