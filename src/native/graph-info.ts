import type { Graph, GraphInfo } from './types.js';

const known = new WeakMap<Graph, GraphInfo>();

/** The facts of a graph; read once, because graphs never change. */
export function graphInfo(graph: Graph): GraphInfo {
  let info = known.get(graph);
  if (!info) {
    info = graph.info();
    known.set(graph, info);
  }
  return info;
}
