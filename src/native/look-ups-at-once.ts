/**
 * The look-ups of the addon itself, which answer at once and are given `Uint32Array`s only. They are for the server: it
 * asks for some dozen entities at a time, and a promise for each of them would cost more than the look-up. They are in
 * no type that users of the package see.
 */

import type {
  Agency,
  AlertPatch,
  CallTexts,
  Cluster,
  EntityKind,
  EntityRelation,
  Feed,
  FlexArea,
  IndexLists,
  Pattern,
  Polyline,
  Route,
  Shapes,
  StaticRentalStation,
  Stop,
  StopTimes,
  Transfers,
  Trip,
  UpcomingOptions,
} from '#addon';

/** Each is named after the one that returns a promise. */
export interface LookUpsAtOnce {
  findSync(kind: EntityKind, ids: string[]): Int32Array;
  feedsSync(indices: Uint32Array): Feed[];
  agenciesSync(indices: Uint32Array): Agency[];
  stopsSync(indices: Uint32Array): Stop[];
  routesSync(indices: Uint32Array): Route[];
  patternsSync(indices: Uint32Array): Pattern[];
  tripsSync(indices: Uint32Array): Trip[];
  clustersSync(indices: Uint32Array): Cluster[];
  flexAreasSync(indices: Uint32Array): FlexArea[];
  relatedSync(relation: EntityRelation, indices: Uint32Array): IndexLists;
  transfersSync(stops: Uint32Array): Transfers;
  stopTimesSync(stops: Uint32Array, options: UpcomingOptions): StopTimes;
  stopTimesOnDateSync(stops: Uint32Array, date: string, omitNonPickups?: boolean): StopTimes;
  tripStopTimesSync(trips: Uint32Array, date?: string): StopTimes;
  callTextsSync(trips: Uint32Array, stops: Uint32Array, positions: Uint32Array): CallTexts;
  patternGeometriesSync(patterns: Uint32Array): Polyline[];
  patternPointsSync(patterns: Uint32Array): Shapes;
  flexAreaBoundariesSync(areas: Uint32Array): Polyline[];
  patternHashesSync(patterns: Uint32Array): string[];
  tripHashesSync(trips: Uint32Array): string[];
  alertsSync(from: number, count: number): AlertPatch[];
  staticRentalStationsSync(from: number, count: number): StaticRentalStation[];
}

declare module '#addon' {
  interface Graph extends LookUpsAtOnce {}
}
