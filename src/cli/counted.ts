/** Numbers with what they count. */

/** `1 trip`, `2 trips`. `many` is the plural, where it is more than the singular with an `s`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The contents of a graph. */
export function contentsText(info: Record<'vertices' | 'edges' | 'stops' | 'routes' | 'trips', number>): string {
  const { vertices, edges, stops, routes, trips } = info;
  return [
    counted(vertices, 'vertex', 'vertices'),
    counted(edges, 'edge'),
    counted(stops, 'stop'),
    counted(routes, 'route'),
    counted(trips, 'trip'),
  ].join(', ');
}
