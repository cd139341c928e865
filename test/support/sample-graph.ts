/** A small town built by the addon, for tests that need a real graph. */

import { writeSample } from '../../scripts/sample-town/index.js';
import { type BuiltGraph, buildGraph } from './built-graph.js';

/** Writes and builds the same village every time. */
export function buildSampleTown(seed = 1): Promise<BuiltGraph> {
  return buildGraph((directory) => writeSample(directory, { seed, size: 'village' }));
}
