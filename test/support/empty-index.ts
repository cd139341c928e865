import type {
  IndexGraph,
  LiveGraph,
  PlaceGraph,
  ScenarioBase,
  StopDistances,
  StopTimes,
} from '../../src/native/types.js';

const NONE = new Uint32Array();
const NO_SECONDS = new Int32Array();
const NO_FLAGS = new Uint8Array();
const NO_STOPS: StopDistances = { stops: NONE, distances: new Float64Array() };
const NO_TIMES: StopTimes = {
  groupOffsets: Uint32Array.of(0, 0),
  patterns: NONE,
  callOffsets: Uint32Array.of(0),
  trips: NONE,
  stops: NONE,
  positions: NONE,
  counts: NONE,
  sequences: NONE,
  scheduledArrivals: NO_SECONDS,
  scheduledDepartures: NO_SECONDS,
  realtimeArrivals: NO_SECONDS,
  realtimeDepartures: NO_SECONDS,
  timepoints: NO_FLAGS,
  states: NO_FLAGS,
  continuousPickups: NO_FLAGS,
  continuousDropOffs: NO_FLAGS,
  serviceAreaRadii: new Float64Array(),
  serviceAreas: NO_SECONDS,
  serviceDays: new Float64Array(),
};

/** The report of a message without trip updates. */
const NO_UPDATES = {
  received: 0,
  updated: 0,
  canceled: 0,
  added: 0,
  modified: 0,
  rejected: 0,
  expired: 0,
  issues: [],
  seconds: 0,
};

/** The index of a graph without transit, live data and streets. */
export class EmptyIndex implements IndexGraph, LiveGraph, PlaceGraph, ScenarioBase {
  applyTripUpdates = async () => NO_UPDATES;
  clearTripUpdates = async () => {};
  setRentalStations = async () => [];
  staticRentalStations = async () => [];
  alertsSync = () => [];
  setAlerts = async () => {};
  applyAlerts = async () => 0;
  setStreetAlerts = async () => 0;
  geocode = async () => [];
  administrativeAreaAt = () => null;
  withScenario = () => Promise.reject(new Error('not in this graph'));
  modificationReports = () => [];
  inspectorTile = async () => Buffer.alloc(0);
  vectorTile = async () => Buffer.alloc(0);
  list = () => NONE;
  findSync = (_kind: unknown, ids: string[]) => new Int32Array(ids.length).fill(-1);
  feedsSync = () => [];
  agenciesSync = () => [];
  isochrone = async () => [];
  profile = async () => [];
  windowSurfaces = async () => [];
  walkshed = () => Promise.reject(new Error('not in this graph'));
  circleIsochrone = () => Promise.reject(new Error('not in this graph'));
  timeGrid = () => Promise.reject(new Error('not in this graph'));
  surfaceFromBytes = () => Promise.reject(new Error('not in this graph'));
  surface = () => Promise.reject(new Error('not in this graph'));
  matrix = async () => new Int32Array();
  stopsSync = () => [];
  routesSync = () => [];
  patternsSync = () => [];
  tripsSync = () => [];
  clustersSync = () => [];
  flexAreasSync = () => [];
  relatedSync = (_relation: unknown, indices: Uint32Array) => ({
    offsets: new Uint32Array(indices.length + 1),
    values: NONE,
  });
  stopsInBox = () => NONE;
  stopsInCircle = () => NO_STOPS;
  stopsWithinWalk = async () => NO_STOPS;
  transfersSync = (stops: Uint32Array) => ({ ...NO_STOPS, offsets: new Uint32Array(stops.length + 1) });
  stopTimesSync = () => NO_TIMES;
  stopTimesOnDateSync = () => NO_TIMES;
  tripStopTimesSync = () => NO_TIMES;
  callTextsSync = () => ({ texts: [''], stopIds: NONE, tripIds: NONE, blockIds: NONE, headsigns: NONE });
  patternGeometriesSync = () => [];
  patternPointsSync = (patterns: Uint32Array) => ({
    offsets: new Uint32Array(patterns.length + 1),
    points: new Float64Array(),
  });
  flexAreaBoundariesSync = () => [];
  patternHashesSync = () => [];
  tripHashesSync = () => [];
  fuzzyTrip = () => null;
}
