/** Requests of analyses. */

import type {
  Indicator,
  Matrix,
  PointSet,
  PointSetList,
  Scenario,
  ScenarioList,
} from '../../serialization/answers/index.js';
import type { Credentials } from '../state/login.js';
import { requestPixels, type ValuePicture } from './pixels.js';
import { isRefusedWith } from './problem.js';
import { requestJson } from './request.js';
import type { RouterApi, Server } from './server.js';

/** The surface of each statistic of a window, in their order; a single one for one departure. */
interface MadeSurfaces {
  id: number;
  percentiles?: Array<{ percentile: string; id: number }>;
}

/** Requests about one router; every method rejects as `requestJson` does. */
export class AnalysisApi {
  readonly #server: string;
  readonly #router: string;

  constructor(
    { base }: Server,
    router: RouterApi,
    private readonly routerId: string,
  ) {
    this.#server = base;
    this.#router = router.base;
  }

  /** Times around a place, see docs/analysis.md. */
  timeGrid(query: URLSearchParams): Promise<ValuePicture> {
    return requestPixels(`${this.#router}/timegrid?${query}`);
  }

  /** Address of the isochrones of a query, for a download. */
  isochroneUrl(query: URLSearchParams): string {
    return `${this.#router}/isochrone?${query}`;
  }

  /** Makes a surface, or those of a window; resolves with the id of the last one. */
  async surface(query: URLSearchParams, signal?: AbortSignal): Promise<number> {
    const all = new URLSearchParams([['routerId', this.routerId], ['batch', 'true'], ...query]);
    const { id, percentiles } = await requestJson<MadeSurfaces>(`${this.#server}/surfaces?${all}`, {
      method: 'POST',
      signal,
    });
    return percentiles?.at(-1)?.id ?? id;
  }

  /** Minutes of a surface over the whole graph, in degrees. */
  raster(id: number, degreesPerPixel: number): Promise<ValuePicture> {
    const query = new URLSearchParams({ format: 'image/png', resolution: String(degreesPerPixel) });
    return requestPixels(`${this.#server}/surfaces/${id}/raster?${query}`);
  }

  /** Address of a GeoTIFF of a surface. */
  geoTiffUrl(id: number): string {
    return `${this.#server}/surfaces/${id}/raster?resolution=0.0005`;
  }

  /** How much of a point set a surface reaches by minute. */
  indicator(id: number, targets: string, signal?: AbortSignal): Promise<Indicator> {
    return requestJson(`${this.#server}/surfaces/${id}/indicator?${new URLSearchParams({ targets })}`, { signal });
  }

  /** Ids of the point sets; none on a server without the analysis resources. */
  async pointSets(signal?: AbortSignal): Promise<string[]> {
    const sets = await requestJson<PointSetList>(`${this.#server}/pointsets`, { signal }).catch((error) => {
      if (isRefusedWith(error, 'ANALYST_OFF')) return [];
      throw error;
    });
    return sets.map(({ id }) => id);
  }

  /** A point set; without features when it is too large to be shown. */
  pointSet(id: string, signal?: AbortSignal): Promise<Partial<PointSet>> {
    return requestJson(`${this.#server}/pointsets/${encodeURIComponent(id)}?most=20000`, { signal });
  }

  /** Seconds from a place to each of the others; null where there is no path. */
  async matrixRow(
    query: URLSearchParams,
    origin: readonly number[],
    destinations: ReadonlyArray<readonly number[]>,
    signal?: AbortSignal,
  ): Promise<Array<number | null>> {
    const { seconds } = await requestJson<Matrix>(`${this.#router}/matrix?${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ origins: [origin], destinations }),
      signal,
    });
    return seconds[0] ?? [];
  }

  /** Descriptions of the scenarios by their ids. */
  scenarios(signal?: AbortSignal): Promise<ScenarioList> {
    return requestJson(`${this.#router}/scenarios`, { signal });
  }

  /** Creates or replaces a scenario; this needs a login unless the server requires none. */
  putScenario(id: string, scenario: object, who: Credentials): Promise<Scenario> {
    return requestJson(`${this.#router}/scenarios/${encodeURIComponent(id)}`, {
      ...who,
      method: 'PUT',
      headers: { ...who.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(scenario),
    });
  }
}
