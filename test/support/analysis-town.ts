/** The sample town served with the analysis resources, for their tests. */

import type { ExecutionContext } from 'ava';
import type { Graph } from '../../src/native/types.js';
import type { BuiltGraph } from './built-graph.js';
import { EmptyIndex } from './empty-index.js';
import { startApp, type TestApp } from './test-app.js';
import { tileAround } from './vector-tile.js';

/** A town being served. */
export interface AnalysisTown {
  readonly app: TestApp;
  /** Query of a search from a place in the middle of the town on a working day. */
  readonly from: string;
  /** Makes a surface; its id. */
  surface(extra?: string): Promise<number>;
  /** Path of the tile around the middle: `z/x/y.png`. */
  tile(z: number): string;
}

/**
 * Serves `town` as the routers `default` and `twin`; the registry must not dispose of the graph that all tests share.
 */
export async function serveAnalysis(
  t: ExecutionContext,
  { graph }: BuiltGraph,
  pointSets = '(none)',
): Promise<AnalysisTown> {
  const served = () => {
    const { info, surface, matrix, utcOffset } = graph;
    const methods = {
      info: info.bind(graph),
      surface: surface.bind(graph),
      matrix: matrix.bind(graph),
      utcOffset: utcOffset.bind(graph),
    };
    const lifetime = { checked: async () => {}, dispose: () => {} };
    return Object.assign(new EmptyIndex(), methods, lifetime) as unknown as Graph;
  };
  const routers = ['default', 'twin'].map((id) => ({ id, graph: served() }));
  const app = await startApp(t, routers, { flags: { analyst: true, insecure: true, pointSets } });
  const { centerLatitude: lat, centerLongitude: lon } = graph.info();
  const from = `fromPlace=${lat.toFixed(6)},${lon.toFixed(6)}&date=2026-11-23&time=8:00am&batch=true`;
  const surface = async (extra = '') => {
    const response = await app.request(`/surfaces?${from}${extra}`, { method: 'POST' });
    t.is(response.status, 200, extra);
    return ((await response.json()) as { id: number }).id;
  };
  const tile = (z: number) => tileAround({ lat, lon }, z).path.replace('.pbf', '.png');
  return { app, from, surface, tile };
}
