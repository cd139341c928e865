/** The types of the transit index in the schema language. Names, also lower-case ones, are part of the interface. */

export const INDEX_DEFINITIONS = /* GraphQL */ `
schema { query: QueryType }

"A whole number of up to 64 bits: a number in answers, a number or a text of digits in arguments"
scalar Long

"GTFS location_type"
enum LocationType { STOP STATION ENTRANCE }

"GTFS wheelchair_boarding and wheelchair_accessible"
enum WheelchairBoarding { NO_INFORMATION POSSIBLE NOT_POSSIBLE }

"GTFS bikes_allowed"
enum BikesAllowed { NO_INFORMATION ALLOWED NOT_ALLOWED }

"How live data changed a trip"
enum RealtimeState { SCHEDULED UPDATED CANCELED ADDED MODIFIED }

"An entity with an id of its own"
interface Node {
  "Global id: base64 of type name, colon and gtfsId"
  id: ID!
}

type QueryType {
  "The entity with a global id"
  node("Global id" id: ID!): Node
  "All agencies"
  agencies: [Agency]
  "An agency by its plain agency_id; the first feed that has it wins"
  agency(id: String!): Agency
  "All stops, or one entry for each id in the order of the request, null for unknown ones"
  stops("Ids of the form feed:stop" ids: [String]): [Stop]
  "Stops in a box"
  stopsByBbox(
    minLat: Float
    minLon: Float
    maxLat: Float
    maxLon: Float
    "Only stops of this feed, ignoring case"
    agency: String
  ): [Stop]
  "Stops within a walk along the streets, nearest first"
  stopsByRadius(
    lat: Float
    lon: Float
    "Metres, 5000 at most"
    radius: Int
    "Only stops of this feed, ignoring case"
    agency: String
    before: String
    after: String
    first: Int
    last: Int
  ): stopAtDistanceConnection
  "A stop by feed:stop"
  stop(id: String!): Stop
  "All routes, or one entry for each id in the order of the request, null for unknown ones"
  routes("Ids of the form feed:route" ids: [String]): [Route]
  "A route by feed:route"
  route(id: String!): Route
  "All trips"
  trips: [Trip]
  "A trip by feed:trip"
  trip(id: String!): Trip
  "The first trip of a route that starts at a time on a day"
  fuzzyTrip(
    "feed:route"
    route: String
    "0 or 1"
    direction: Int
    "YYYYMMDD"
    date: String
    "Departure from the first stop, seconds after midnight"
    time: Int
  ): Trip
  "All patterns"
  patterns: [Pattern]
  "A pattern by its code"
  pattern(id: String!): Pattern
  "All clusters of stops"
  clusters: [Cluster]
  "A cluster by its id"
  cluster(id: String!): Cluster
  "The root again"
  viewer: QueryType
}

type Agency implements Node {
  id: ID!
  "Plain agency_id"
  gtfsId: String!
  name: String!
  url: String!
  timezone: String!
  lang: String
  phone: String
  fareUrl: String
  routes: [Route]
}

"Stops of one place and name"
type Cluster implements Node {
  id: ID!
  gtfsId: String!
  name: String!
  lat: Float!
  lon: Float!
  stops: [Stop!]
}

type Coordinates { lat: Float lon: Float }

"Trips of one route and direction that call at the same stops under the same rules"
type Pattern implements Node {
  id: ID!
  route: Route!
  "-1 when unknown"
  directionId: Int
  name: String
  "feed:route:direction:number"
  code: String!
  "Headsign of the first trip"
  headsign: String
  trips: [Trip!]
  stops: [Stop!]
  geometry: [Coordinates]
  semanticHash: String
}

type Route implements Node {
  id: ID!
  "feed:route"
  gtfsId: String!
  agency: Agency
  shortName: String
  longName: String
  "TRAM, SUBWAY, RAIL, BUS, FERRY, CABLE_CAR, GONDOLA, FUNICULAR or AIRPLANE"
  mode: String
  "Number of the GTFS route_type"
  type: String
  desc: String
  url: String
  color: String
  textColor: String
  bikesAllowed: BikesAllowed
  patterns: [Pattern]
  stops: [Stop]
  trips: [Trip]
}

type Stop implements Node {
  id: ID!
  "feed:stop"
  gtfsId: String!
  name: String!
  lat: Float!
  lon: Float!
  code: String
  desc: String
  zoneId: String
  url: String
  locationType: LocationType
  parentStation: Stop
  wheelchairBoarding: WheelchairBoarding
  direction: String
  timezone: String
  "-999 when not given"
  vehicleType: Int
  platformCode: String
  cluster: Cluster
  "Stops of a station where travellers can board"
  stops: [Stop!]
  routes: [Route!]
  patterns: [Pattern]
  "Precomputed walks to other stops"
  transfers: [stopAtDistance]
  "All calls of a day; null when the date is not of the form YYYYMMDD"
  stoptimesForServiceDate(date: String, omitNonPickups: Boolean): [StoptimesInPattern]
  "The next calls, pattern by pattern"
  stoptimesForPatterns(
    "Epoch seconds, 0 for now"
    startTime: String = "0"
    "Seconds; patterns without service in this time are left out"
    timeRange: Int = 86400
    "Calls per pattern"
    numberOfDepartures: Int = 5
    "Leave out calls where travellers cannot board"
    omitNonPickups: Boolean = false
  ): [StoptimesInPattern]
  "The next calls of all patterns, by time"
  stoptimesWithoutPatterns(
    "Epoch seconds, 0 for now"
    startTime: String = "0"
    "Seconds; patterns without service in this time are left out"
    timeRange: Int = 86400
    "Calls in all"
    numberOfDepartures: Int = 5
    "Leave out calls where travellers cannot board"
    omitNonPickups: Boolean = false
  ): [Stoptime]
}

"A call. Times are seconds after the start of the service day, -1 where live data has removed them"
type Stoptime {
  stop: Stop
  scheduledArrival: Int
  realtimeArrival: Int
  arrivalDelay: Int
  scheduledDeparture: Int
  realtimeDeparture: Int
  departureDelay: Int
  timepoint: Boolean
  "Whether live data changed the times"
  realtime: Boolean
  realtimeState: RealtimeState
  "Start of the service day, epoch seconds; 0 in Trip.stoptimes"
  serviceDay: Long
  trip: Trip
  headsign: String
  "Position in the pattern, from 0"
  stopIndex: Int
  blockId: String
}

type StoptimesInPattern { pattern: Pattern stoptimes: [Stoptime] }

type Trip implements Node {
  id: ID!
  "feed:trip"
  gtfsId: String!
  route: Route!
  "feed:service"
  serviceId: String
  tripShortName: String
  tripHeadsign: String
  routeShortName: String
  directionId: String
  blockId: String
  "feed:shape"
  shapeId: String
  wheelchairAccessible: WheelchairBoarding
  bikesAllowed: BikesAllowed
  pattern: Pattern
  stops: [Stop!]!
  semanticHash: String
  "The plain timetable"
  stoptimes: [Stoptime]
  "The times of a day, YYYYMMDD, with live data"
  stoptimesForDate(serviceDay: String): [Stoptime]
  "All points of the shape as (lon,lat), one after the other"
  geometry: String
}

type stopAtDistance {
  stop: Stop
  "Metres"
  distance: Int
}

type stopAtDistanceEdge {
  node: stopAtDistance
  cursor: String!
}

type stopAtDistanceConnection {
  edges: [stopAtDistanceEdge]
  pageInfo: PageInfo
}

type PageInfo {
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
  endCursor: String
}
`;
