/** Decides whether JSON that is neither a plan nor a shape is as good as the recorded one. */

/** Members that say when an answer was made, how long it took and by what. */
const VOLATILE = new Set(['debugOutput', 'requestParameters', 'buildTime', 'elevationMetadata', 'msg']);

/** Most differences that are listed. */
const MOST = 6;

/** What differs from the recorded value; further members are welcome, and lists of objects have no order. */
export function valueDifferences(recorded: unknown, answer: unknown): string[] {
  return different(ordered(recorded), ordered(answer), '$').slice(0, MOST);
}

/** Members that are missing or of another type; lists are compared by their first elements. */
export function shapeDifferences(recorded: unknown, answer: unknown, place = '$'): string[] {
  if (typeof recorded !== typeof answer || Array.isArray(recorded) !== Array.isArray(answer)) {
    return [`${place}: of another type`];
  }
  if (Array.isArray(recorded) && Array.isArray(answer)) {
    return recorded.length > 0 && answer.length > 0 ? shapeDifferences(recorded[0], answer[0], `${place}[0]`) : [];
  }
  if (!isObject(recorded) || !isObject(answer)) return [];
  return Object.keys(recorded)
    .filter((name) => !VOLATILE.has(name))
    .flatMap((name) =>
      name in answer
        ? shapeDifferences(recorded[name], answer[name], `${place}.${name}`)
        : [`${place}.${name}: missing`],
    );
}

/** Totals and mean minutes of an indicator may differ a little. */
export function indicatorDifferences(recorded: Indicator, answer: Indicator): string[] {
  return Object.entries(recorded.data).flatMap(([name, expected]) =>
    (['counts', 'sums'] as const).flatMap((member) => {
      const [x, y] = [expected[member], answer.data[name]?.[member] ?? []];
      const far = Math.abs(sum(x) - sum(y)) > Math.max(1, 0.03 * sum(x));
      const late = Math.abs(meanMinute(x) - meanMinute(y)) > Math.max(0.5, 0.04 * meanMinute(x));
      return far || late ? [`${name}.${member}: ${sum(y)} instead of ${sum(x)}`] : [];
    }),
  );
}

interface Indicator {
  readonly data: Readonly<Record<string, { readonly counts: readonly number[]; readonly sums: readonly number[] }>>;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const meanMinute = (values: readonly number[]) =>
  values.reduce((total, value, minute) => total + value * minute, 0) / Math.max(1, sum(values));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(ordered);
    const sortable = isObject(items[0]) || typeof items[0] === 'string';
    if (!sortable) return items;
    return items
      .map((item) => [JSON.stringify(item), item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item);
  }
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => !VOLATILE.has(name));
  return Object.fromEntries(names.sort().map((name) => [name, ordered(value[name])]));
}

/** Sums of fractions depend on their order. */
const TOLERANCE = 2e-6;

function different(recorded: unknown, answer: unknown, place: string): string[] {
  if (typeof recorded === 'number' && typeof answer === 'number') {
    const near = Math.abs(recorded - answer) <= TOLERANCE * Math.max(1, Math.abs(recorded), Math.abs(answer));
    return near ? [] : [`${place}: ${answer} instead of ${recorded}`];
  }
  if (Array.isArray(recorded) && Array.isArray(answer)) {
    if (recorded.length !== answer.length) return [`${place}: ${answer.length} instead of ${recorded.length} elements`];
    return recorded.flatMap((item, i) => different(item, answer[i], `${place}[${i}]`));
  }
  if (isObject(recorded) && isObject(answer)) {
    return Object.keys(recorded).flatMap((name) => different(recorded[name], answer[name], `${place}.${name}`));
  }
  return recorded === answer ? [] : [`${place}: ${JSON.stringify(answer)} instead of ${JSON.stringify(recorded)}`];
}
