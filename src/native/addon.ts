/** The native addon. Only this file loads it, and only when it is needed: `--help` works without it. */

import type { Graph } from './types.js';

type Addon = typeof import('./safe-addon.js');

export async function loadAddon(): Promise<Addon> {
  try {
    return await import('./safe-addon.js');
  } catch (error) {
    throw new Error('the native addon could not be loaded; build it with `npm run build:native`', { cause: error });
  }
}

/**
 * Opens a graph file that is checked before it is used: for commands and jobs, which would not notice damage that is
 * found later.
 */
export async function openChecked(file: string): Promise<Graph> {
  const { Graph } = await loadAddon();
  return Graph.open(file, undefined, { checkFirst: true });
}
