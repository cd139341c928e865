/** Comparing answers in their short form. */

/** Numbers that differ by a millionth are the same: sums of fractions depend on the machine a little. */
const TOLERANCE = 1e-6;

/** The differences, each with its place; empty when there are none. */
export function differences(recorded: unknown, answer: unknown, place = 'answer'): string[] {
  if (typeof recorded === 'number' && typeof answer === 'number') {
    const near = Math.abs(recorded - answer) <= TOLERANCE * Math.max(1, Math.abs(recorded));
    return near ? [] : [`${place}: ${answer} instead of ${recorded}`];
  }
  if (typeof recorded !== 'object' || typeof answer !== 'object' || recorded === null || answer === null) {
    const [shown, expected] = [JSON.stringify(answer), JSON.stringify(recorded)];
    return shown === expected ? [] : [`${place}: ${shown} instead of ${expected}`];
  }
  if (Array.isArray(recorded) !== Array.isArray(answer)) return [`${place}: a list instead of an object or vice versa`];
  const [before, now] = [recorded, answer] as Array<Readonly<Record<string, unknown>>>;
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})]);
  return [...names].flatMap((name) => differences(before?.[name], now?.[name], `${place}.${name}`));
}

/** JSON in which what fits into a line is in one, so that changes are easy to read. */
export function readableJson(value: unknown, width = 120, indent = ''): string {
  const line = JSON.stringify(value);
  if (line === undefined || indent.length + line.length <= width) return line ?? 'null';
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + readableJson(item, width, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return line;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${readableJson(member, width, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
}
