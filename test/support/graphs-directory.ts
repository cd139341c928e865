/** Directories of graphs for servers and workers that are started as processes. */

import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import type { BuiltGraph } from './built-graph.js';
import { temporaryDirectory } from './temporary-directory.js';

/** A fresh directory with a graph as that of the router `town`; it disappears with the test. */
export async function graphsWith(t: ExecutionContext, { file }: BuiltGraph): Promise<string> {
  const graphs = await temporaryDirectory(t);
  await mkdir(path.join(graphs, 'town'));
  await copyFile(file, path.join(graphs, 'town', 'Graph.obj'));
  return graphs;
}
