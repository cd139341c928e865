/** Amounts of money in the form of the interface. */

const currencies = new Map<string, ReturnType<typeof describe>>();

/** A price: the currency described, and the amount in its smallest unit. */
export function money(currency: string, cents: number) {
  let description = currencies.get(currency);
  if (!description) {
    description = describe(currency);
    currencies.set(currency, description);
  }
  return { currency: description, cents };
}

/** Symbol as the server's own locale writes it, and number of decimals. */
function describe(currency: string) {
  let symbol = currency;
  let digits = 2;
  try {
    const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
    symbol = format.formatToParts(0).find((part) => part.type === 'currency')?.value ?? currency;
    digits = format.resolvedOptions().maximumFractionDigits ?? digits;
  } catch {
    // No currency code at all: feeds may say anything. It stands for itself.
  }
  return { symbol, currency, defaultFractionDigits: digits, currencyCode: currency };
}
