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
type PlanError { id: Int! msg: String! message: String! missing: [String!] }

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
  "Metres"
  distance: Float
  "Seconds"
  duration: Float
  transitLeg: Boolean
  rentedBike: Boolean
  interlineWithPreviousLeg: Boolean
  headsign: String
  serviceDate: String
  routeId: String
  tripId: String
  agencyId: String
  agencyName: String
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
  steps: [Step!]
}

"An encoded polyline"
type LegGeometry { points: String length: Int }

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
  vertexType: String
  bikeShareId: String
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
}
`;
