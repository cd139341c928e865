/** Tables as files. */

/** The address of a file with these rows. */
export function csvUrl(rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const text = rows.map((row) => row.map(cell).join(',')).join('\n');
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`${text}\n`)}`;
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
