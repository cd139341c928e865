/**
 * The types of values that cross into the addon, as it declares them. Units: seconds, metres, metres per second;
 * instants are seconds since 1970.
 */

import type { Graph as AddonGraph, ModificationReport, ScenarioModification, TileOptions } from '#addon';
import type { LookUpsAtOnce } from './look-ups-at-once.js';

export type * from '#addon';
/** Those of the transit index, whose short names mean much else on a server. */
export type { Pattern as IndexPattern, Route as IndexRoute, Stop as IndexStop, Trip as IndexTrip } from '#addon';

/** Look-ups of the transit index. */
export type IndexGraph = Omit<LookUpsAtOnce, 'staticRentalStationsSync'> &
  Pick<AddonGraph, 'list' | 'stopsInBox' | 'stopsInCircle' | 'stopsWithinWalk' | 'fuzzyTrip'>;

/** Look-ups of many trips. */
export type TripGraph = Pick<AddonGraph, 'list' | 'stopTimesOnDate' | 'tripStopTimes' | 'trips'>;

/** Changes of a graph's live data. */
export type LiveGraph = Pick<
  AddonGraph,
  | 'applyTripUpdates'
  | 'clearTripUpdates'
  | 'setRentalStations'
  | 'staticRentalStations'
  | 'setAlerts'
  | 'applyAlerts'
  | 'setStreetAlerts'
>;

/** Look-ups of places, and pictures and tiles of streets. */
export type PlaceGraph = Pick<AddonGraph, 'geocode' | 'administrativeAreaAt' | 'inspectorTile' | 'vectorTile'>;

/** A graph that modifications can be laid over. */
export interface ScenarioBase {
  withScenario(modifications: ScenarioModification[]): Promise<Graph>;
  modificationReports(): ModificationReport[];
}

/** A graph with live data. */
interface SnapshotSource {
  /** The graph with its present live data; to be disposed of soon. */
  snapshot(): Graph;
}

/** The members of a graph that the server uses; the addon's class has them, and so do the fakes of the tests. */
export type Graph = Pick<
  AddonGraph,
  | 'info'
  | 'serviceDays'
  | 'plan'
  | 'prepareStreets'
  | 'checked'
  | 'dispose'
  | 'isochrone'
  | 'timeGrid'
  | 'walkshed'
  | 'circleIsochrone'
  | 'surface'
  | 'windowSurfaces'
  | 'surfaceFromBytes'
  | 'matrix'
  | 'profile'
  | 'utcOffset'
> &
  IndexGraph &
  LiveGraph &
  PlaceGraph &
  ScenarioBase &
  SnapshotSource;

export type TilePlace = Pick<TileOptions, 'z' | 'x' | 'y'>;

/** The names of the interface's planning errors that a search, or reading its request, can end with. */
export type PlanErrorCode =
  | 'OUTSIDE_BOUNDS'
  | 'PATH_NOT_FOUND'
  | 'NO_TRANSIT_TIMES'
  | 'REQUEST_TIMEOUT'
  | 'BOGUS_PARAMETER'
  | 'TOO_CLOSE'
  | 'LOCATION_NOT_ACCESSIBLE'
  | 'UNDERSPECIFIED_TRIANGLE'
  | 'TRIANGLE_NOT_AFFINE'
  | 'SYSTEM_ERROR';
