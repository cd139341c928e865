/**
 * The typed values that cross into the addon: camelCase mirrors of the kernel's request and itinerary.
 * Units: seconds, metres, metres per second, epoch milliseconds for the times of an answer.
 */

/** A traverse mode of the interface. */
export type Mode =
  | 'WALK'
  | 'BICYCLE'
  | 'CAR'
  | 'TRAM'
  | 'SUBWAY'
  | 'RAIL'
  | 'BUS'
  | 'FERRY'
  | 'CABLE_CAR'
  | 'GONDOLA'
  | 'FUNICULAR'
  | 'AIRPLANE'
  | 'LEG_SWITCH';

/** What a cyclist optimizes for. */
export type Optimize = 'QUICK' | 'SAFE' | 'FLAT' | 'GREENWAYS' | 'TRIANGLE' | 'TRANSFERS';

/** A place as given: a coordinate, or else the label of a vertex (empty: nothing was given). */
export interface PlaceRequest {
  name?: string;
  lat?: number;
  lon?: number;
  label?: string;
}

/** A route named in a request; empty members match anything. */
export interface RouteSpec {
  feed: string;
  name: string;
  routeId: string;
}

/** A trip (`feed:trip`) that may not be used, or not at these positions of its pattern (none: the whole trip). */
export interface BannedTrip {
  trip: string;
  stopPositions: number[];
}

/** A routing request; what is absent takes the built-in default of the interface. */
export interface PlanRequest {
  from: PlaceRequest;
  to: PlaceRequest;
  intermediatePlaces?: PlaceRequest[];
  /** Departure, or latest arrival with `arriveBy`. */
  epochSeconds: number;
  arriveBy?: boolean;
  wheelchair?: boolean;
  numItineraries?: number;
  maxWalkDistance?: number;
  maxTransferWalkDistance?: number;
  maxPreTransitTime?: number;
  walkReluctance?: number;
  stairsReluctance?: number;
  turnReluctance?: number;
  waitReluctance?: number;
  waitAtBeginningFactor?: number;
  walkSpeed?: number;
  bikeSpeed?: number;
  carSpeed?: number;
  bikeSwitchTime?: number;
  bikeSwitchCost?: number;
  triangleSafety?: number;
  triangleSlope?: number;
  triangleTime?: number;
  optimize?: Optimize;
  /** Allowed modes after resolving qualifiers. */
  modes?: Mode[];
  bikeRental?: boolean;
  bikePark?: boolean;
  carPark?: boolean;
  kissAndRide?: boolean;
  transferSlack?: number;
  boardSlack?: number;
  alightSlack?: number;
  preferredRoutes?: RouteSpec[];
  unpreferredRoutes?: RouteSpec[];
  bannedRoutes?: RouteSpec[];
  whitelistedRoutes?: RouteSpec[];
  preferredAgencies?: string[];
  unpreferredAgencies?: string[];
  bannedAgencies?: string[];
  whitelistedAgencies?: string[];
  bannedTrips?: BannedTrip[];
  bannedStops?: string[];
  bannedStopsHard?: string[];
  otherThanPreferredRoutesPenalty?: number;
  useUnpreferredRoutesPenalty?: number;
  walkBoardCost?: number;
  bikeBoardCost?: number;
  transferPenalty?: number;
  nonpreferredTransferPenalty?: number;
  maxTransfers?: number;
  showIntermediateStops?: boolean;
  /** `feed:stop`. */
  startTransitStop?: string;
  /** `feed:trip`. */
  startTransitTrip?: string;
  clampInitialWait?: number;
  locale?: string;
  ignoreRealtime?: boolean;
  maxSlope?: number;
  driveOnRight?: boolean;
  bikeRentalPickupTime?: number;
  bikeRentalPickupCost?: number;
  bikeRentalDropoffTime?: number;
  bikeRentalDropoffCost?: number;
  bikeParkTime?: number;
  bikeParkCost?: number;
  carDropoffTime?: number;
  elevatorBoardTime?: number;
  elevatorBoardCost?: number;
  elevatorHopTime?: number;
  elevatorHopCost?: number;
  maxHours?: number;
  useRequestedTimeInMaxHours?: boolean;
  sortByDuration?: boolean;
  disableAlertFiltering?: boolean;
  /** Seconds added before boarding, by mode. */
  boardTimes?: Partial<Record<Mode, number>>;
  /** Seconds added after alighting, by mode. */
  alightTimes?: Partial<Record<Mode, number>>;
  /** Milliseconds for the 1st, 2nd, … itinerary; the last repeats. */
  timeoutsMs?: number[];
}

/** Kind of a place. */
export type VertexType = 'NORMAL' | 'BIKESHARE' | 'BIKEPARK' | 'TRANSIT';

/** An alert or street note as shown to the traveller. */
export interface Alert {
  header?: string;
  description?: string;
  url?: string;
  effectiveStart?: number;
}

/** An end or passing point of a leg. */
export interface Place {
  name: string;
  stopId?: string;
  stopCode?: string;
  platformCode?: string;
  lon: number;
  lat: number;
  arrival?: number;
  departure?: number;
  orig?: string;
  zoneId?: string;
  stopIndex?: number;
  stopSequence?: number;
  vertexType: VertexType;
  bikeShareId?: string;
}

/** One instruction of a street leg. */
export interface Step {
  distance: number;
  /** For example `HARD_LEFT`. */
  relative: string;
  streetName: string;
  /** For example `NORTHEAST`; none for elevators. */
  absolute?: string;
  exit?: string;
  stayOn: boolean;
  area: boolean;
  bogusName: boolean;
  lon: number;
  lat: number;
  /** Flat pairs: metres from the step's start, metres of elevation. */
  elevation: ArrayLike<number>;
  alerts: Alert[];
}

/** What only a transit leg has. */
export interface TransitLeg {
  route: string;
  agencyName: string;
  agencyUrl: string;
  agencyId: string;
  routeColor?: string;
  routeTextColor?: string;
  routeType: number;
  routeId: string;
  routeShortName?: string;
  routeLongName?: string;
  interlineWithPrevious: boolean;
  tripShortName?: string;
  blockId?: string;
  headsign?: string;
  tripId: string;
  serviceDate: string;
  boardRule?: string;
  alightRule?: string;
  headway?: number;
}

/** A line as an encoded polyline (precision 1e5) and its number of points. */
export interface EncodedPolyline {
  points: string;
  length: number;
}

/** A part of an itinerary in one mode. */
export interface Leg {
  startTime: number;
  endTime: number;
  departureDelay: number;
  arrivalDelay: number;
  realTime: boolean;
  distance: number;
  pathway: boolean;
  mode: string;
  agencyTimeZoneOffsetMs: number;
  transit?: TransitLeg;
  from: Place;
  to: Place;
  geometry: EncodedPolyline;
  alerts: Alert[];
  rentedBike: boolean;
  intermediateStops?: Place[];
  steps: Step[];
}

/** The price of one fare type; `cents` counts the currency's smallest unit. */
export interface FarePrice {
  fareType: string;
  currency: string;
  cents: number;
}

/** One itinerary. */
export interface Itinerary {
  startTime: number;
  endTime: number;
  walkTime: number;
  transitTime: number;
  waitingTime: number;
  walkDistance: number;
  walkLimitExceeded: boolean;
  elevationLost: number;
  elevationGained: number;
  transfers: number;
  fare: FarePrice[];
  legs: Leg[];
  tooSloped: boolean;
  generalizedCost: number;
}

/** Where the milliseconds of a search went. */
export interface PlanTimings {
  precalculation: number;
  pathCalculation: number;
  paths: number[];
  rendering: number;
  timedOut: boolean;
}

/** A successful plan; `itineraries` is never empty. */
export interface Plan {
  /** Requested time, epoch milliseconds. */
  date: number;
  from: Place;
  to: Place;
  itineraries: Itinerary[];
}

/** The names of the interface's planning errors that a search can end in. */
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

/** Why there is no answer. */
export interface PlanError {
  code: PlanErrorCode;
  /** In words, for logs. */
  reason: string;
  /** `from`, `to`: the places that could not be found. */
  missing: string[];
}

/** Either a plan or the reason why there is none. */
export interface PlanOutcome {
  plan?: Plan;
  error?: PlanError;
  timings: PlanTimings;
}

/** What a graph says about itself. */
export interface GraphInfo {
  /** Ring of the convex hull, flat longitude/latitude pairs; the first point is repeated at the end. */
  polygon: ArrayLike<number>;
  /** Epoch milliseconds. */
  buildTime: number;
  /** Epoch seconds; absent without transit. */
  transitServiceStarts?: number;
  /** Epoch seconds; absent without transit. */
  transitServiceEnds?: number;
  transitModes: string[];
  centerLatitude: number;
  centerLongitude: number;
  lowerLeftLatitude: number;
  lowerLeftLongitude: number;
  upperRightLatitude: number;
  upperRightLongitude: number;
  hasParkRide: boolean;
  hasBikeSharing: boolean;
  hasBikePark: boolean;
  vertices: number;
  edges: number;
  stops: number;
  routes: number;
  patterns: number;
  trips: number;
  /** IANA name. */
  timeZone: string;
  /** Text of the router configuration embedded at build time. */
  routerConfig?: string;
}

/** Options of one search. */
export interface PlanOptions {
  deadlineMs?: number;
  signal?: AbortSignal;
}

/** A built graph, opened; safe to share between requests. */
export interface Graph {
  info(): GraphInfo;
  /** Rejects with code `BUSY` when the search queue is full, `ABORTED` when the signal fired. */
  plan(request: PlanRequest, options?: PlanOptions): Promise<PlanOutcome>;
  /** Gives up the memory once running searches have ended. */
  dispose(): void;
}

/** How far a build has come. */
export interface BuildProgress {
  step: string;
  /** 0 to 1 within the step. */
  fraction: number;
}

/** One dropped or repaired input row. */
export interface BuildIssue {
  /** Kebab case, for example `stop-without-position`. */
  code: string;
  file: string;
  /** 1-based; 0 when not about a line. */
  line: number;
  message: string;
}

/** What a build did. */
export interface BuildReport {
  /** Graph file written. */
  path: string;
  bytes: number;
  info: GraphInfo;
  steps: Array<{ step: string; milliseconds: number }>;
  /** At most 1000 of each code. */
  issues: BuildIssue[];
  issueCounts: Array<{ code: string; count: number }>;
}

/** Options of a build; absent members take their defaults. The names are those of build-config.json. */
export interface BuildOptions {
  /** File to write; default `Graph.obj` in the directory. */
  output?: string;
  transit?: boolean;
  streets?: boolean;
  useTransfersTxt?: boolean;
  parentStopLinking?: boolean;
  stationTransfers?: boolean;
  /** Minutes. */
  subwayAccessTime?: number;
  areaVisibility?: boolean;
  staticBikeRental?: boolean;
  staticParkAndRide?: boolean;
  staticBikeParkAndRide?: boolean;
  /** Metres. */
  maxInterlineDistance?: number;
  elevationUnitMultiplier?: number;
  osmWayPropertySet?: 'default' | 'norway' | 'uk';
  islandWithoutStopsMaxSize?: number;
  islandWithStopsMaxSize?: number;
  banDiscouragedWalking?: boolean;
  banDiscouragedBiking?: boolean;
  /** Text of router-config.json to embed. */
  routerConfig?: string;
  /** Text of build-config.json to embed. */
  buildConfig?: string;
}
