/** The plan query in the schema language, with the members of the plan resource. Times are epoch milliseconds. */

/** A parameter of the plan query. */
export interface PlanArgument {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly type: 'string' | 'integer' | 'number' | 'boolean' };
  readonly repeatable?: boolean;
}

const SCALARS = { string: 'String', integer: 'Int', number: 'Float', boolean: 'Boolean' } as const;

/** The query and its types, with the parameters of the plan resource as arguments. */
export function planDefinitions(parameters: readonly PlanArgument[]): string {
  const argument = ({ name, description, schema, repeatable }: PlanArgument) => {
    const type = SCALARS[schema.type];
    return `${JSON.stringify(description)} ${name}: ${repeatable ? `[${type}]` : type}`;
  };
  return `
extend type QueryType {
  "Trips between two places; the arguments are the parameters of the plan resource"
  plan(${parameters.map(argument).join('\n')}): Plan
}
${PLAN_TYPES}`;
}

const PLAN_TYPES = /* GraphQL */ `
"Trips, or the reason why there are none"
type Plan {
  date: Long
  from: Place
  to: Place
  itineraries: [Itinerary!]!
  error: PlanError
}

"Why there is no trip"
type PlanError { id: Int! msg: String! message: String! missing: [String!] noPath: Boolean reason: String }

type Itinerary {
  "Seconds"
  duration: Long
  startTime: Long
  endTime: Long
  "Seconds"
  walkTime: Long
  "Seconds"
  transitTime: Long
  "Seconds"
  waitingTime: Long
  "Metres"
  walkDistance: Float
  walkLimitExceeded: Boolean
  elevationLost: Float
  elevationGained: Float
  transfers: Int
  fare: Fare
  tooSloped: Boolean
  legs: [Leg!]!
}

type Leg {
  mode: String!
  startTime: Long
  endTime: Long
  "Seconds"
  departureDelay: Int
  "Seconds"
  arrivalDelay: Int
  realTime: Boolean
  "The vehicle comes every \`headway\` seconds; the times are the latest"
  isNonExactFrequency: Boolean
  "Seconds"
  headway: Int
  "Metres"
  distance: Float
  "A path inside a station"
  pathway: Boolean
  "Seconds"
  duration: Float
  transitLeg: Boolean
  rentedBike: Boolean
  interlineWithPreviousLeg: Boolean
  tripShortName: String
  tripBlockId: String
  headsign: String
  serviceDate: String
  routeId: String
  tripId: String
  agencyId: String
  agencyName: String
  agencyUrl: String
  "Milliseconds that clocks of the agency are ahead of UTC"
  agencyTimeZoneOffset: Int
  routeType: Int
  routeShortName: String
  routeLongName: String
  routeColor: String
  routeTextColor: String
  route: Route
  trip: Trip
  from: Place!
  to: Place!
  intermediateStops: [Place!]
  legGeometry: LegGeometry
  alerts: [Alert!]
  "How to board if boarding is not regular"
  boardRule: String
  "How to alight if alighting is not regular"
  alightRule: String
  callAndRide: Boolean
  flexDrtAdvanceBookMin: Float
  steps: [Step!]
}

"An encoded polyline"
type LegGeometry { points: String levels: String length: Int }

type Place {
  name: String
  lat: Float!
  lon: Float!
  stopId: String
  stopCode: String
  platformCode: String
  stop: Stop
  arrival: Long
  departure: Long
  "The request's name of the place; only at the ends of an itinerary"
  orig: String
  zoneId: String
  "Position in the pattern"
  stopIndex: Int
  stopSequence: Int
  vertexType: String
  bikeShareId: String
  boardAlightType: String
}

type Step {
  "Metres"
  distance: Float
  relativeDirection: String
  absoluteDirection: String
  streetName: String
  exit: String
  stayOn: Boolean
  area: Boolean
  bogusName: Boolean
  lat: Float
  lon: Float
  elevation: [ElevationPoint!]
  alerts: [Alert!]
}

"Metres from the start of the step, and metres of elevation there"
type ElevationPoint { first: Float second: Float }

"A disruption that concerns a leg or a step"
type Alert { alertHeaderText: String alertDescriptionText: String alertUrl: String effectiveStartDate: Long }

"What an itinerary costs"
type Fare { fare: FarePrices details: FareDetails }

"Prices by kind of fare"
type FarePrices { regular: Money student: Money senior: Money tram: Money special: Money youth: Money }

"The fares that are bought, by kind of fare"
type FareDetails {
  regular: [FareDetail!]
  student: [FareDetail!]
  senior: [FareDetail!]
  tram: [FareDetail!]
  special: [FareDetail!]
  youth: [FareDetail!]
}

type FareDetail {
  fareId: String
  price: Money
  "Routes of the rides that it pays for"
  routes: [String!]
}

type Money {
  currency: Currency
  "In the currency's smallest unit"
  cents: Int
}

type Currency { symbol: String currency: String defaultFractionDigits: Int currencyCode: String }
`;
