/** Names in another direction of writing than the text around them. */

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The name in marks that keep it from changing the order of the text around it. Without them, a second Hebrew name, or a
 * number, would stand left of the first name.
 */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}
