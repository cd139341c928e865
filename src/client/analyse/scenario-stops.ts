/** The stops where vehicles call, for the stops and stations that a scenario names. */

import type { RouterApi } from '../api/server.js';
import type { ServedStop } from './scenario-draft.js';

interface Answer {
  readonly gtfsId: string;
  readonly routes: ReadonlyArray<{ readonly gtfsId: string }>;
}

/** Where vehicles call, by the ids that are asked for: at the stops of a station, or at the stop itself. */
export async function askServedStops(
  api: RouterApi,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, ServedStop[]>> {
  if (ids.length === 0) return new Map();
  const lines = 'gtfsId routes { gtfsId }';
  const query = `query($ids: [String]) { stops(ids: $ids) { ${lines} stops { ${lines} } } }`;
  type Stops = Array<(Answer & { readonly stops: readonly Answer[] | null }) | null>;
  const { stops } = await api.graphql<{ stops: Stops }>(query, { ids }, signal);
  const found = stops.filter((stop) => stop !== null);
  return new Map(found.map((stop) => [stop.gtfsId, servedStops(stop.stops?.length ? stop.stops : [stop])]));
}

function servedStops(stops: readonly Answer[]): ServedStop[] {
  return stops.map(({ gtfsId: id, routes }) => ({ id, lines: routes.map((route) => route.gtfsId) }));
}
