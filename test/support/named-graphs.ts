/** Graphs without an engine: a graph file is the text `graph NAME`; anything else is refused. */

import { readFile, writeFile } from 'node:fs/promises';
import type { Graph } from '../../src/native/types.js';
import type { GraphMaker, OpenOptions } from '../../src/registry/graph-source.js';
import { FakeGraph } from './fake-graph.js';

/** A graph that records whether it was disposed of. */
export class NamedGraph extends FakeGraph {
  /** Ends the check of its file with damage. */
  damage: (error: Error) => void = () => {};
  readonly #check = new Promise<void>((_, reject) => {
    this.damage = reject;
  });
  constructor(
    readonly name: string,
    readonly checkFirst: boolean,
  ) {
    super();
    this.#check.catch(() => {});
  }

  override checked(): Promise<void> {
    return this.#check;
  }
}

/** The name of a graph of a `NamedGraphMaker`. */
export function nameOf(graph: Graph): string {
  return (graph as NamedGraph).name;
}

/** Opens and builds named graphs and keeps every one it opened. */
export class NamedGraphMaker implements GraphMaker {
  readonly opened: NamedGraph[] = [];
  /** When set, `open` waits for it. */
  gate: Promise<void> | undefined;
  builds = 0;

  async open(file: string, { checkFirst = false }: OpenOptions = {}): Promise<NamedGraph> {
    await this.gate;
    const [kind, name = ''] = (await readFile(file, 'utf8')).split(' ');
    if (kind !== 'graph') throw Object.assign(new Error('not a graph file'), { code: 'GRAPH_FOREIGN' });
    const graph = new NamedGraph(name, checkFirst);
    this.opened.push(graph);
    return graph;
  }

  async build(_directory: string, file: string): Promise<void> {
    this.builds += 1;
    await writeFile(file, `graph built${this.builds}`);
  }

  /** Graphs that were opened and not disposed of. */
  alive(): string[] {
    return this.opened.filter((graph) => !graph.disposed).map((graph) => graph.name);
  }
}
