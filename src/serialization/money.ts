/** Amounts of money in the form of the interface. */

import type { Fare } from '../native/types.js';
import type { Money } from './answers/index.js';

/** Currencies that have a symbol in English texts (Unicode CLDR); for all others the code is used. */
const SYMBOLS: Readonly<Record<string, string>> = {
  AUD: 'A$',
  BRL: 'R$',
  CAD: 'CA$',
  CNY: 'CN¥',
  EUR: '€',
  GBP: '£',
  HKD: 'HK$',
  ILS: '₪',
  INR: '₹',
  JPY: '¥',
  KRW: '₩',
  MXN: 'MX$',
  NZD: 'NZ$',
  PHP: '₱',
  TWD: 'NT$',
  USD: '$',
  VND: '₫',
  XAF: 'FCFA',
  XCD: 'EC$',
  XCG: 'Cg.',
  XOF: 'F\u202fCFA',
  XPF: 'CFPF',
  XXX: '¤',
};

/** A price: the currency of a fare described, and the amount in its smallest unit. */
export function money({ currency, fractionDigits }: Pick<Fare, 'currency' | 'fractionDigits'>, cents: number): Money {
  const symbol = (Object.hasOwn(SYMBOLS, currency) ? SYMBOLS[currency] : undefined) ?? currency;
  return { currency: { symbol, currency, defaultFractionDigits: fractionDigits, currencyCode: currency }, cents };
}
