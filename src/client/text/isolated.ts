/** Names in another direction of writing than the text around them. */

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The name so that it does not change the order of what is before and after it: of two Hebrew names in a text, the second
 * would be left of the first, and so would a number.
 */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
