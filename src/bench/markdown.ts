/** Tables in Markdown. */

/** The lines of a table. `rule` is the text below each head: `---`, or `--:` for numbers. */
export function tableLines(
  heads: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  rule: '---' | '--:' = '---',
): string[] {
  return [heads, heads.map(() => rule), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
