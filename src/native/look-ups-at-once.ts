/**
 * The look-ups of the addon itself, which answer at once and are given `Uint32Array`s only. They are for the server: it
 * asks for some dozen entities at a time, and a promise for each of them would cost more than the look-up. They are in
 * no type that users of the package see.
 */

import type * as addon from '#addon';

/** Each is named after the one that returns a promise. */
export interface LookUpsAtOnce {
  findSync(kind: addon.EntityKind, ids: string[]): Int32Array;
  feedsSync(indices: Uint32Array): addon.Feed[];
  agenciesSync(indices: Uint32Array): addon.Agency[];
  stopsSync(indices: Uint32Array): addon.Stop[];
  routesSync(indices: Uint32Array): addon.Route[];
  patternsSync(indices: Uint32Array): addon.Pattern[];
  tripsSync(indices: Uint32Array): addon.Trip[];
  clustersSync(indices: Uint32Array): addon.Cluster[];
  flexAreasSync(indices: Uint32Array): addon.FlexArea[];
  relatedSync(relation: addon.EntityRelation, indices: Uint32Array): addon.IndexLists;
  transfersSync(stops: Uint32Array): addon.Transfers;
  stopTimesSync(stops: Uint32Array, options: addon.UpcomingOptions): addon.StopTimes;
  stopTimesOnDateSync(stops: Uint32Array, date: string, omitNonPickups?: boolean): addon.StopTimes;
  tripStopTimesSync(trips: Uint32Array, date?: string): addon.StopTimes;
  callTextsSync(trips: Uint32Array, stops: Uint32Array, positions: Uint32Array): addon.CallTexts;
  patternGeometriesSync(patterns: Uint32Array): addon.Polyline[];
  patternPointsSync(patterns: Uint32Array): addon.Shapes;
  flexAreaBoundariesSync(areas: Uint32Array): addon.Polyline[];
  patternHashesSync(patterns: Uint32Array): string[];
  tripHashesSync(trips: Uint32Array): string[];
  alertsSync(from: number, count: number): addon.AlertPatch[];
  staticRentalStationsSync(from: number, count: number): addon.StaticRentalStation[];
}

declare module '#addon' {
  interface Graph extends LookUpsAtOnce {}
}
