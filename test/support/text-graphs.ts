import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { GraphMaker } from '../../src/registry/graph-source.js';
import { FakeGraph } from './fake-graph.js';

/** A graph file of this many vertices and bytes; a shorter one does not open. */
export function sizedGraph(vertices: number, bytes: number): string {
  return `graph ${vertices} size=${bytes} `.padEnd(bytes, '.');
}

/** A graph file is the text `graph <vertices>`, or a sized one; a build counts its input files. */
export const TEXT_GRAPHS: GraphMaker = {
  async open(file) {
    const text = await readFile(file, 'utf8');
    if (!text.startsWith('graph ')) throw Object.assign(new Error('not a graph file'), { code: 'GRAPH_FOREIGN' });
    const size = /size=(\d+)/.exec(text)?.[1];
    if (size !== undefined && Number(size) !== text.length) throw new Error('truncated');
    const vertices = Number.parseInt(text.slice(6), 10);
    // Requests can tell one graph from another.
    return new FakeGraph({ vertices, buildTime: vertices / 1000 });
  },
  async build(directory, file) {
    await writeFile(file, `graph ${(await readdir(directory)).length}`);
  },
};
