/** The members of a scenario, as data: the same rows are used to read scenarios and to describe the interface. */

import { type Field, TEXT } from '../config/fields.js';
import { type JsonSchema, memberSchemas } from '../config/json-schema.js';

interface ScenarioField {
  readonly field: Field;
  readonly summary: string;
  readonly required?: boolean;
}

/** Members by name. */
type ScenarioFields = Readonly<Record<string, ScenarioField>>;

/** Latest time of a service day and longest duration, seconds: a week. */
export const MAX_SECONDS = 7 * 86_400;

const seconds = (minimum: number): Field => ({ kind: 'number', integer: true, minimum, maximum: MAX_SECONDS });
/** GTFS route_type and direction_id values: the extended route types go to 1702. */
const CODE: Field = { kind: 'number', integer: true, minimum: 0, maximum: 9999 };
const degrees = (limit: number): Field => ({ kind: 'number', minimum: -limit, maximum: limit });
const IDS: Field = {
  kind: 'either',
  choices: [{ kind: 'list', items: TEXT }, TEXT],
  expected: 'an id or a list of ids',
};
const NUMBERS: Field = {
  kind: 'either',
  choices: [{ kind: 'list', items: CODE }, CODE],
  expected: 'a whole number or a list of them',
};
/** Seconds after the start of the service day, or `HH:MM:SS`; hours may pass 24. */
const CLOCK: Field = { kind: 'either', choices: [seconds(0), TEXT], expected: 'seconds or HH:MM:SS' };
const CLOCKS: Field = { kind: 'list', items: CLOCK };
const DURATIONS: Field = { kind: 'list', items: seconds(0) };

const member = (field: Field, summary: string): ScenarioField => ({ field, summary });
const required = (field: Field, summary: string): ScenarioField => ({ field, summary, required: true });

/** Which trips a modification changes; at least one condition is required, and all given ones must match. */
export const TRIP_SELECTION: ScenarioFields = {
  agencyId: member(IDS, 'agencies, `feed:agency`'),
  routeId: member(IDS, 'routes, `feed:route`'),
  patternId: member(IDS, 'patterns by code'),
  tripId: member(IDS, 'trips, `feed:trip`'),
  routeType: member(NUMBERS, 'GTFS route_type values'),
  directionId: member(CODE, 'direction_id'),
};

const STOP: ScenarioFields = {
  stopId: member(TEXT, 'a stop of the schedule, `feed:stop`'),
  lat: member(degrees(90), 'latitude of a new stop'),
  lon: member(degrees(180), 'longitude of a new stop'),
  name: member(TEXT, 'name of a new stop'),
};

const TIMETABLE: ScenarioFields = {
  departures: member(CLOCKS, 'first departures of single trips'),
  headway: member(seconds(1), 'seconds between trips, instead of departures'),
  startTime: member(CLOCK, 'first departure by headway'),
  endTime: member(CLOCK, 'no departure by headway from then on'),
  hopTimes: member(DURATIONS, 'seconds from each stop to the next'),
  speed: member(
    { kind: 'number', minimum: 0.1, maximum: 1000 },
    'metres per second over the straight line, instead of hopTimes',
  ),
  dwellTimes: member(DURATIONS, 'seconds at each stop'),
  serviceId: member(TEXT, 'days of a service of the schedule'),
  days: member({ kind: 'list', items: { kind: 'boolean' } }, 'seven flags, Monday first; every day when absent'),
};

/** Members of each type of modification, besides `type` and `warnings`. */
export const MODIFICATIONS: Readonly<Record<string, ScenarioFields>> = {
  'remove-trip': TRIP_SELECTION,
  'adjust-headway': {
    ...TRIP_SELECTION,
    headway: required(seconds(1), 'seconds between two runs'),
    windowStart: member(CLOCK, 'only departures from the first stop from then on'),
    windowEnd: member(CLOCK, 'only departures from the first stop before'),
  },
  'adjust-dwell-time': {
    ...TRIP_SELECTION,
    stopId: member(IDS, 'at these stops only, `feed:stop`; a station stands for its stops'),
    dwellTime: required(seconds(0), 'seconds between arrival and departure'),
  },
  'skip-stop': {
    ...TRIP_SELECTION,
    stopId: required(IDS, 'stops that are passed, `feed:stop`; a station stands for its stops'),
  },
  'move-stop': {
    stopId: required(TEXT, 'a stop, `feed:stop`; no station'),
    lat: required(degrees(90), 'its latitude from now on'),
    lon: required(degrees(180), 'its longitude from now on'),
  },
  'add-trip-pattern': {
    routeId: member(TEXT, 'an existing route, `feed:route`'),
    name: member(TEXT, 'short name of a new route'),
    routeType: member(CODE, 'GTFS route_type of the new route; 3, a bus, when absent'),
    agencyId: member(TEXT, 'agency of the new route, `feed:agency`'),
    directionId: member(CODE, 'direction_id'),
    headsign: member(TEXT, 'headsign; the last stop when absent'),
    stops: required({ kind: 'list', items: { kind: 'object', fields: fieldsOf(STOP) } }, 'two or more'),
    timetables: required({ kind: 'list', items: { kind: 'object', fields: fieldsOf(TIMETABLE) } }, 'when it runs'),
  },
  'convert-to-frequency': {
    ...TRIP_SELECTION,
    groupBy: member({ kind: 'string', oneOf: ['ROUTE_DIRECTION', 'ROUTE', 'PATTERN'] }, 'which trips are one line'),
    windowStart: member(CLOCK, 'only trips that start from then on'),
    windowEnd: member(CLOCK, 'only trips that start before'),
  },
  'transfer-rule': {
    fromStopId: required(TEXT, '`feed:stop`; a station stands for its stops'),
    toStopId: required(TEXT, '`feed:stop`'),
    fromRouteId: member(TEXT, 'only from this route'),
    toRouteId: member(TEXT, 'only to this route'),
    fromTripId: member(TEXT, 'only from this trip'),
    toTripId: member(TEXT, 'only to this trip'),
    transferType: required(
      { kind: 'number', integer: true, minimum: 0, maximum: 3 },
      'GTFS transfer_type: 0 preferred, 1 timed, 2 minimum time, 3 forbidden',
    ),
    seconds: member(seconds(0), 'the minimum time'),
  },
};

/** The fields alone, for reading documents. */
export function fieldsOf(members: ScenarioFields): Record<string, Field> {
  return Object.fromEntries(Object.entries(members).map(([name, { field }]) => [name, field]));
}

function memberSchema(members: ScenarioFields, fixed: JsonSchema): JsonSchema {
  const names = Object.entries(members).filter(([, { required }]) => required);
  return {
    type: 'object',
    properties: { ...fixed, ...memberSchemas(members) },
    required: [...Object.keys(fixed), ...names.map(([name]) => name)],
  };
}

/** JSON Schema of a scenario as it is sent. */
export const SCENARIO_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    description: { type: 'string' },
    modifications: {
      type: 'array',
      description: 'Applied in this order; each sees the changes of those before it',
      items: {
        oneOf: Object.entries(MODIFICATIONS).map(([type, members]) =>
          memberSchema(members, { type: { type: 'string', const: type } }),
        ),
      },
    },
  },
  required: ['modifications'],
};
