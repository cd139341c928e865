/** Answers of the transit index to the queries of Explore. Times of calls are seconds of the service day. */

/** A route as badges show it. */
export interface LineShort {
  gtfsId: string;
  shortName: string | null;
  longName: string | null;
  mode: string;
  color: string | null;
  textColor: string | null;
  agency: { gtfsId: string } | null;
}

export interface Call {
  scheduledDeparture: number;
  realtimeDeparture: number;
  realtime: boolean;
  realtimeState: string;
  /** Epoch seconds. */
  serviceDay: number;
  headsign: string | null;
  trip: { gtfsId: string; tripHeadsign: string | null; route: LineShort };
}

export interface PatternStop {
  gtfsId: string;
  name: string;
  lat: number;
  lon: number;
}

/** A stop or a station, with the lines that call there. */
export interface FoundStop extends PatternStop {
  code: string | null;
  routes: LineShort[];
}

/** A stop with its next departures. */
export interface StopDetails extends FoundStop {
  platformCode: string | null;
  desc: string | null;
  wheelchairBoarding: string;
  parentStation: { gtfsId: string } | null;
  calls: Call[];
  /** Platforms of a station. */
  stops: Array<{ gtfsId: string; platformCode: string | null; routes: LineShort[]; calls: Call[] }> | null;
}

/** Trips of a line with the same stops. */
export interface LinePattern {
  code: string;
  headsign: string | null;
  geometry: Array<{ lat: number; lon: number }> | null;
  stops: PatternStop[];
  trips: Array<{ gtfsId: string }>;
}

export interface LineDetails extends LineShort {
  desc: string | null;
  agency: { gtfsId: string; name: string } | null;
  patterns: LinePattern[];
}

/** A trip with its calls on a day. */
export interface TripDetails {
  gtfsId: string;
  tripHeadsign: string | null;
  tripShortName: string | null;
  wheelchairAccessible: string;
  bikesAllowed: string;
  /** Null for a trip with frequencies: its calls are those of no run. */
  semanticHash: string | null;
  route: LineShort;
  pattern: { geometry: LinePattern['geometry'] } | null;
  calls: Array<Omit<Call, 'trip'> & { stop: PatternStop }>;
}

/** The calls of a pattern on a day, from which the timetable is made. */
export interface DayOfPattern {
  /** Every trip of the pattern, even those of other days. */
  trips: Array<{ gtfsId: string; calls: TimetableCall[] }>;
  /** Trips that leave the first stop on the day, with the time; trips with frequencies several times. */
  departures: Array<{ trip: string; departure: number }>;
}

export type TimetableCall = Pick<Call, 'scheduledDeparture' | 'realtimeDeparture' | 'realtime'>;
