/** Indices of the list of the item `at`, among lists laid end to end. */
export function range(offsets: Uint32Array, at: number): number[] {
  const from = offsets[at] ?? 0;
  return Array.from({ length: (offsets[at + 1] ?? from) - from }, (_, i) => from + i);
}
