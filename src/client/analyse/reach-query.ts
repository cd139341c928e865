/** The request of an analysis. */

import { state } from '../state/address.js';
import { type Moment, timeParameters } from '../state/moment.js';
import { formatCoordinate, type Place } from '../state/place.js';
import { cellMetres } from './precision.js';

/** How people move. */
export type ReachBy = 'transit' | 'walk' | 'bicycle' | 'car';

const MODES: Readonly<Record<ReachBy, string>> = {
  transit: 'TRANSIT,WALK',
  walk: 'WALK',
  bicycle: 'BICYCLE',
  car: 'CAR',
};

/** Longest distance from a street that counts as reached, metres. */
const OFF_ROAD_M = 150;
/** Surfaces have values of whole minutes up to this. */
const MOST_WINDOW_MINUTES = 120;

/** One of the two sides of a comparison. */
export interface Side {
  readonly origin: Place;
  /** Whether people depart from the origin at the time, or arrive there by the time. */
  readonly way: 'from' | 'to';
  readonly by: ReachBy;
  /** Absent where the time is an instant. */
  readonly date?: string;
  readonly time: string;
  /** Empty for the schedule as it is. */
  readonly scenario: string;
}

export interface ReachQuery {
  /** One, or two that are compared. */
  readonly sides: readonly Side[];
  /** Minutes, ascending. */
  readonly cutoffs: readonly number[];
  /** Minutes of departures, to which the percentile applies; 0 for one departure. */
  readonly window: number;
  readonly percentile: string;
  /** Whether the origin is being dragged: the answer has to come quickly. */
  readonly dragged: boolean;
}

/** The analysis that the address describes, at a moment; "now" is `nowMs`. Undefined without an origin. */
export function chosenQuery(moment: Moment, nowMs: number): ReachQuery | undefined {
  const origin = state.origin.value;
  if (!origin) return undefined;
  const [way, by, scenario] = [state.reachWay.value, state.reachBy.value, state.scenario.value];
  const first: Side = { origin, way, by, ...timeParameters(moment, nowMs), scenario };
  const second = otherSide(first, moment.date);
  return {
    sides: second ? [first, second] : [first],
    cutoffs: state.cutoffs.value.toSorted((one, other) => one - other),
    window: state.reachBy.value === 'transit' ? state.window.value : 0,
    percentile: state.percentile.value,
    dragged: false,
  };
}

/** The second side of the comparison; undefined while it is not chosen. */
function otherSide(first: Side, date: string): Side | undefined {
  const [origin, time, scenario] = [state.otherOrigin.value, state.otherTime.value, state.otherScenario.value];
  switch (state.compare.value) {
    case 'origin':
      return origin && { ...first, origin };
    case 'time':
      return time === undefined ? undefined : { ...first, date, time };
    case 'scenario':
      return { ...first, scenario };
    default:
      return undefined;
  }
}

/** How the places of a point set are shown. The time to each of them is available for departures only. */
export function placesAs(): 'plot' | 'map' {
  return state.reachWay.value === 'from' ? state.placesAs.value : 'plot';
}

/** Whether the map shows places in colours instead of the area, which would hide them. */
export function arePlacesColoured(): boolean {
  return state.places.value !== '' && placesAs() === 'map';
}

export function longestMinutes({ cutoffs }: Pick<ReachQuery, 'cutoffs'>): number {
  return cutoffs.at(-1) ?? 30;
}

/** The parameters that every analysis has. */
export function sideParameters({ origin, way, by, date, time, scenario }: Side): Array<[string, string]> {
  const place = formatCoordinate(origin);
  const end: Array<[string, string]> =
    way === 'from'
      ? [['fromPlace', place]]
      : [
          ['toPlace', place],
          ['arriveBy', 'true'],
        ];
  const common: Array<[string, string]> = [...end, ['mode', MODES[by]]];
  if (date !== undefined) common.push(['date', date]);
  common.push(['time', time]);
  return scenario === '' ? common : [...common, ['scenario', scenario]];
}

export function gridParameters(side: Side, query: ReachQuery): URLSearchParams {
  const longest = longestMinutes(query);
  return new URLSearchParams([
    ...sideParameters(side),
    ['maxTimeSec', String(longest * 60)],
    ['precisionMeters', String(cellMetres(longest, query.dragged))],
    ['offRoadDistanceMeters', String(OFF_ROAD_M)],
  ]);
}

/** Parameters of the isochrones as a file; the name is that of the shapefile, inside and outside its archive. */
export function isochroneParameters(
  side: Side,
  query: ReachQuery,
  file: { format: 'geojson' | 'shapefile'; name: string },
): URLSearchParams {
  return new URLSearchParams([
    ...sideParameters(side),
    ...query.cutoffs.map((minutes): [string, string] => ['cutoffSec', String(minutes * 60)]),
    ['precisionMeters', String(cellMetres(longestMinutes(query)))],
    ['offRoadDistanceMeters', String(OFF_ROAD_M)],
    ['format', file.format],
    ...(file.format === 'shapefile' ? [['shpName', file.name] as [string, string]] : []),
  ]);
}

/** Parameters of a surface: of the window, or of one departure. */
export function surfaceParameters(side: Side, query: ReachQuery): URLSearchParams {
  const minutes = Math.min(MOST_WINDOW_MINUTES, longestMinutes(query));
  const common: Array<[string, string]> = [...sideParameters(side), ['cutoffMinutes', String(minutes)]];
  if (query.window === 0) return new URLSearchParams(common);
  return new URLSearchParams([...common, ['window', String(query.window)], ['percentiles', query.percentile]]);
}
