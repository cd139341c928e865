/** Names of graphs. A router's graph may change, and results of one graph are not valid for another. */

/** The name of the graph that a router serves now. */
export function graphKey({ id, generation }: { readonly id: string; readonly generation: number }): string {
  return `${id}#${generation}`;
}

export function routerOf(key: string): string {
  return key.slice(0, key.lastIndexOf('#'));
}
