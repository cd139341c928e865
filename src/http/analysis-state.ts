import { PointSetDirectory } from '../analysis/point-set-directory.js';
import { SurfaceStore } from '../analysis/surface-store.js';
import type { AppDeps } from '../server/deps.js';

/** What the analysis resources of one running application remember. */
export interface AnalysisState {
  readonly surfaces: SurfaceStore;
  readonly pointSets: PointSetDirectory;
}

const states = new WeakMap<AppDeps['registry'], AnalysisState>();

/** The state of an application; made when it is first asked for. */
export function analysisState(deps: AppDeps): AnalysisState {
  let state = states.get(deps.registry);
  if (state === undefined) {
    state = { surfaces: new SurfaceStore(), pointSets: new PointSetDirectory(deps.config.pointSets) };
    states.set(deps.registry, state);
  }
  return state;
}

/** Gives up what was kept of a router that is no longer registered. */
export function forgetRouter(registry: AppDeps['registry'], routerId: string): void {
  states.get(registry)?.surfaces.removeOf(routerId);
}
