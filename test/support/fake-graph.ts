/** A graph that answers every plan with one fixed walk-bus-walk trip and records its requests. */

import type {
  Graph,
  GraphInfo,
  Leg,
  Place,
  PlanOutcome,
  PlanRequest,
  PlanTimings,
  SearchOptions,
  ServiceDays,
} from '../../src/native/types.js';
import { clocksOf } from './clocks.js';
import { EmptyIndex } from './empty-index.js';

const NINE = Date.UTC(2019, 4, 13, 12, 0, 0) / 1000;
const TIMINGS: PlanTimings = {
  precalculation: 0.012,
  pathCalculation: 0.03,
  paths: [0.018],
  rendering: 0.002,
  timedOut: false,
};

const origin: Place = { name: 'Origin', lon: -51.23, lat: -30.03, orig: '', vertexType: 'NORMAL', departure: NINE };
const destination: Place = { ...origin, name: 'Destination', lon: -51.18, lat: -30.06 };
const boarding: Place = {
  name: 'Rua A & B <1>',
  stopId: '2:53:15',
  lon: -51.227,
  lat: -30.031,
  arrival: NINE + 219,
  departure: NINE + 320,
  stopIndex: 4,
  stopSequence: 5,
  vertexType: 'TRANSIT',
};
const alighting: Place = {
  ...boarding,
  name: 'Centro',
  stopId: '2:7',
  arrival: NINE + 800,
  departure: NINE + 800,
};

function leg(mode: Leg['mode'], from: Place, to: Place, startTime: number, endTime: number): Leg {
  return {
    startTime,
    endTime,
    departureDelay: 0,
    arrivalDelay: 0,
    realTime: false,
    distance: 290,
    pathway: false,
    mode,
    agencyUtcOffset: -10_800,
    from,
    to,
    geometry: { points: '_p~iF~ps|U_ulLnnqC', length: 2 },
    alerts: [],
    rentedBike: false,
    steps: [],
  };
}

/** The fixed answer. */
export function busTrip(): PlanOutcome {
  const walk: Leg = {
    ...leg('WALK', origin, boarding, NINE, NINE + 219),
    steps: [
      {
        distance: 290,
        relative: 'DEPART',
        streetName: 'Rua A',
        absolute: 'NORTH',
        stayOn: false,
        area: false,
        bogusName: false,
        lon: -51.23,
        lat: -30.03,
        elevation: [0, 10, 20.5, 12.25],
        alerts: [{ header: 'Unpaved surface' }],
      },
    ],
  };
  const ride: Leg = {
    ...leg('BUS', boarding, alighting, NINE + 320, NINE + 800),
    transit: {
      route: '15',
      agencyName: 'Agency',
      agencyUrl: 'http://a.example/',
      agencyId: 'AG',
      routeType: 3,
      routeId: '2:15',
      routeShortName: '15',
      interlineWithPrevious: false,
      tripId: '2:T1',
      serviceDate: '20190513',
    },
  };
  const arrive = NINE + 900;
  return {
    plan: {
      date: NINE,
      from: origin,
      to: destination,
      itineraries: [
        {
          startTime: NINE,
          endTime: arrive,
          walkTime: 319,
          transitTime: 480,
          waitingTime: 101,
          walkDistance: 580,
          walkLimitExceeded: false,
          elevationLost: 0,
          elevationGained: 2.25,
          transfers: 0,
          fare: [
            {
              fareType: 'regular',
              currency: 'BRL',
              fractionDigits: 2,
              cents: 470,
              details: [{ fareId: '1:single', cents: 470, routes: ['1:T1'] }],
            },
          ],
          legs: [walk, ride, leg('WALK', alighting, destination, NINE + 800, arrive)],
          tooSloped: false,
          generalizedCost: 1800,
        },
      ],
    },
    timings: TIMINGS,
  };
}

const SQUARE: GraphInfo = {
  polygon: [-51.3, -30.2, -51.1, -30.2, -51.1, -30, -51.3, -30.2],
  buildTime: 1_795_234_294.182,
  transitServiceStarts: 1_546_329_600,
  transitServiceEnds: 1_577_865_600,
  earliestServiceStart: 1_546_329_600,
  latestServiceEnd: 1_577_865_600,
  transitModes: ['BUS', 'RAIL'],
  centerLatitude: -30.1,
  centerLongitude: -51,
  lowerLeftLatitude: -30.2,
  lowerLeftLongitude: -51.3,
  upperRightLatitude: -30,
  upperRightLongitude: -51.1,
  hasParkRide: true,
  hasBikeSharing: false,
  hasBikePark: false,
  hasOpenStreetMap: true,
  vertices: 3,
  edges: 6,
  stops: 2,
  routes: 1,
  patterns: 1,
  trips: 1,
  timeZone: 'America/Sao_Paulo',
};

/** A graph without streets or stops. */
export class FakeGraph extends EmptyIndex implements Graph {
  /** Requests in their order. */
  readonly requests: PlanRequest[] = [];
  disposed = false;

  constructor(
    private readonly facts: Partial<GraphInfo> = {},
    private readonly answer: (
      request: PlanRequest,
      signal?: AbortSignal,
    ) => PlanOutcome | Promise<PlanOutcome> = busTrip,
  ) {
    super();
  }

  serviceDays(): ServiceDays | null {
    return { first: '20190513', trips: [3, 4] };
  }

  info(): GraphInfo {
    return { ...SQUARE, ...this.facts };
  }

  utcOffset(epochSeconds: number): number {
    return clocksOf(this.info().timeZone).utcOffset(epochSeconds);
  }

  async plan(request: PlanRequest, options?: SearchOptions | null): Promise<PlanOutcome> {
    this.requests.push(request);
    return this.answer(request, options?.signal);
  }

  async prepareStreets(): Promise<boolean> {
    return false;
  }

  async checked(): Promise<void> {}

  dispose(): void {
    this.disposed = true;
  }

  /** The same graph: nothing changes it. Disposing of it does not dispose of the graph. */
  snapshot(): Graph {
    return Object.create(this, { dispose: { value: () => {} } });
  }

  /** The latest request. */
  get last(): PlanRequest {
    const request = this.requests.at(-1);
    if (!request) throw new Error('no request has reached the graph');
    return request;
  }
}
