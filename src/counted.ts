/** A number with what it counts: `1 trip`, `2 trips`. `many` is the plural, where `one` gets more than an `s`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
