/** Lists in one text. */

/** The elements of a comma list that are not empty, without the spaces around them. */
export function elementsOf(text: string): string[] {
  const elements = text.split(',').map((element) => element.trim());
  return elements.filter((element) => element !== '');
}
