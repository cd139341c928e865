import type { Graph, GraphInfo } from './types.js';

const known = new WeakMap<Graph, GraphInfo>();

/** What a graph says about itself; asked for once, as graphs never change. */
export function graphInfo(graph: Graph): GraphInfo {
  let info = known.get(graph);
  if (!info) {
    info = graph.info();
    known.set(graph, info);
  }
  return info;
}
