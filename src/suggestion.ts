/** The known name that a misspelt one most likely means. */

/** The closest of `known` within a third of the word's length; undefined when none is close. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    // The distance is at least the difference of the lengths; a word of a megabyte would take seconds.
    if (Math.abs(word.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The end of a message about an unknown name: the known one that was probably meant, between marks; often empty. */
export function didYouMean(word: string, known: Iterable<string>, mark = ''): string {
  const close = suggest(word, known);
  return close === undefined ? '' : `; did you mean ${mark}${close}${mark}?`;
}

/** Letters to add, remove or replace, and neighbours to swap, to make one word of the other; row by row. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const areSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = areSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
