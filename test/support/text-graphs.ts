import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { GraphMaker } from '../../src/registry/native-store.js';
import { FakeGraph } from './fake-graph.js';

/** A graph file is the text `graph <vertices>`; a build counts its input files. */
export const TEXT_GRAPHS: GraphMaker = {
  async open(file) {
    const text = await readFile(file, 'utf8');
    if (!text.startsWith('graph ')) throw Object.assign(new Error('not a graph file'), { code: 'GRAPH_FOREIGN' });
    return new FakeGraph({ vertices: Number(text.slice(6)) });
  },
  async build(directory, file) {
    await writeFile(file, `graph ${(await readdir(directory)).length}`);
  },
};
