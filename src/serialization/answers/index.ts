/** Every answer in JSON, by the name that the route table has for it. */

import {
  CreatedSurfaces,
  Indicator,
  Matrix,
  ProfileAnswer,
  ReachDifference,
  Surface,
  SurfaceList,
} from './analysis.js';
import { Isochrones, PointSet, PointSetList, PointSetSize, SimpleIsochrones, Walkshed } from './geometry.js';
import { Job, JobList } from './jobs.js';
import { InspectorLayers, MapStyle, TileJson } from './maps.js';
import { Addresses, AlertPatches, FoundPlaces, Municipality, PatchOutcome, RentalStations } from './places.js';
import { PlanAnswer } from './plan-answer.js';
import { EncodedPolyline } from './polyline.js';
import {
  BuildReport,
  RouterInfo,
  RouterList,
  ServerInfo,
  ServiceDays,
  UpdaterClass,
  UpdaterList,
  UpdaterStatuses,
  Vehicles,
} from './routers.js';
import { GraphqlAnswer, GraphqlBatchAnswer, InterfaceDescription, Scenario, ScenarioList } from './scenarios.js';
import { anyOf, list, text } from './schema.js';
import {
  Agency,
  Cluster,
  Feed,
  FlexArea,
  Pattern,
  PatternShort,
  Route,
  RouteShort,
  Stop,
  StopShort,
  StopTime,
  StopTimesInPattern,
  Transfer,
  Trip,
  TripShort,
} from './transit-index.js';

export type * from './analysis.js';
export type * from './geometry.js';
export type * from './jobs.js';
export type * from './maps.js';
export type * from './modes.js';
export type * from './places.js';
export type * from './plan-answer.js';
export type * from './polyline.js';
export type * from './routers.js';
export type * from './scenarios.js';
export type * from './transit-index.js';

/** The schemas. Those with a title, and what they consist of, are components of the description. */
export const ANSWERS = {
  Addresses,
  Agencies: list(Agency),
  Agency,
  AgencyRoutes: anyOf([list(RouteShort), list(Route)], 'With `detail` whole routes'),
  AlertPatches,
  BuildReport,
  Cluster,
  Clusters: list(Cluster),
  CreatedSurfaces,
  EncodedPolyline,
  Feed,
  FlexArea,
  FoundPlaces,
  GraphqlAnswer,
  GraphqlBatchAnswer,
  Ids: list(text()),
  Indicator,
  InspectorLayers,
  InterfaceDescription,
  Isochrones,
  Job,
  JobList,
  MapStyle,
  Matrix,
  Municipality,
  PatchOutcome,
  Pattern,
  Patterns: list(PatternShort),
  PlanAnswer,
  PointSetAnswer: anyOf([PointSet, PointSetSize]),
  PointSetList,
  ProfileAnswer,
  ReachDifference,
  RentalStations,
  Route,
  RouterInfo,
  RouterList,
  Routes: list(RouteShort),
  Scenario,
  ScenarioList,
  ServerInfo,
  ServiceDays,
  SimpleIsochrones,
  Stop,
  StopTimes: list(StopTimesInPattern),
  Stops: list(StopShort),
  Surface,
  SurfaceList,
  TileJson,
  Transfers: list(Transfer),
  Trip,
  TripCalls: list(StopTime),
  Trips: list(TripShort),
  UpdaterClass,
  UpdaterList,
  UpdaterStatuses,
  Vehicles,
  Walkshed,
};

/** The name of an answer in JSON. */
export type AnswerName = keyof typeof ANSWERS;
