/**
 * The parameters of `profile`, which differ from those of other resources: checked, with the interface's defaults, in
 * the addon's units.
 */

import type { Mode, ProfileMode, ProfileRequest } from '../../native/types.js';
import { type ParameterSchema, parameter } from '../parameter-schema.js';
import { BadParameter, quoted } from './bad-parameter.js';
import { parseQualifiedMode, TRANSIT_MODES } from './modes.js';
import type { Query } from './query.js';
import { type Clocks, type WallClock, wallClock, zonedToEpoch } from './zoned-time.js';

/** A profile with what its analysis also needs. */
export interface ProfileQuery {
  readonly request: ProfileRequest;
  /** Return travel times to everywhere instead of options. */
  readonly analyst: boolean;
  /** Agency whose vehicles the analysis leaves out. */
  readonly bannedAgency: string | undefined;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly standard: number;
}

const SPEEDS = {
  walkSpeed: { least: 0.5, most: 7, standard: 1.4 },
  bikeSpeed: { least: 1, most: 21, standard: 4.1 },
  carSpeed: { least: 1, most: 36, standard: 20 },
} as const satisfies Record<string, Bounds>;

const INTEGERS = {
  streetTime: { least: 1, most: 480, standard: 90 },
  maxWalkTime: { least: 1, most: 480, standard: 15 },
  maxBikeTime: { least: 1, most: 480, standard: 20 },
  maxCarTime: { least: 1, most: 480, standard: 30 },
  limit: { least: 0, most: 2 ** 31 - 1, standard: 15 },
  suboptimal: { least: 0, most: 30, standard: 5 },
  bikeSafe: { least: 0, most: 1000, standard: 1 },
  bikeSlope: { least: 0, most: 1000, standard: 1 },
  bikeTime: { least: 0, most: 1000, standard: 1 },
} as const satisfies Record<string, Bounds>;

const ORDERS = ['MIN', 'AVG', 'MAX'] as const;

/**
 * Reads a profile's parameters.
 *
 * @param nowMs the present, epoch milliseconds, for `date=today`.
 * @throws BadParameter naming the first one that is missing, malformed or out of range.
 */
export function profileQuery(query: Query, clocks: Clocks, nowMs: number): ProfileQuery {
  const analyst = query.boolean('analyst') ?? false;
  const from = coordinate(query, 'from');
  if (from === undefined) throw new BadParameter('from', '`lat,lon` is required');
  const to = coordinate(query, 'to');
  if (to === undefined && !analyst) throw new BadParameter('to', '`lat,lon` is required');
  const speed = (name: keyof typeof SPEEDS) => within(name, query.decimal(name), SPEEDS[name]);
  const integer = (name: keyof typeof INTEGERS) => within(name, query.integer(name), INTEGERS[name]);
  const [bikeTime, carTime] = [integer('maxBikeTime'), integer('maxCarTime')];
  within('minBikeTime', query.integer('minBikeTime'), { least: 0, most: bikeTime, standard: 1 });
  const request: ProfileRequest = {
    from,
    to: to ?? from,
    ...departures(query, clocks, nowMs),
    walkSpeed: speed('walkSpeed'),
    bikeSpeed: speed('bikeSpeed'),
    carSpeed: speed('carSpeed'),
    streetSeconds: 60 * integer('streetTime'),
    walkSeconds: 60 * integer('maxWalkTime'),
    bikeSeconds: 60 * bikeTime,
    carSeconds: 60 * carTime,
    minCarSeconds:
      60 *
      within('minCarTime', query.integer('minCarTime'), { least: 0, most: carTime, standard: Math.min(1, carTime) }),
    orderBy: query.oneOf('orderBy', ORDERS) ?? 'AVG',
    limit: integer('limit'),
    suboptimalSeconds: 60 * integer('suboptimal'),
    bikeTriangle: [integer('bikeSafe'), integer('bikeSlope'), integer('bikeTime')],
    accessModes: streetModes(query, 'accessModes', 'WALK,BICYCLE'),
    egressModes: streetModes(query, 'egressModes', 'WALK'),
    directModes: streetModes(query, 'directModes', 'WALK,BICYCLE'),
    transitModes: transitModes(query),
  };
  return { request, analyst, bannedAgency: query.text('banAgency') };
}

function within(name: string, given: number | undefined, { least, most, standard }: Bounds): number {
  const value = given ?? standard;
  if (value < least || value > most) throw new BadParameter(name, `${value} is not in range [${least},${most}]`);
  return value;
}

const COORDINATE = /^\s*([+-]?\d{1,4}(?:\.\d*)?)\s*,\s*([+-]?\d{1,4}(?:\.\d*)?)\s*$/;

/** Reads `lat,lon`. */
export function coordinate(query: Query, name: string): { lat: number; lon: number } | undefined {
  const text = query.text(name);
  if (text === undefined) return undefined;
  const match = COORDINATE.exec(text.slice(0, 200));
  if (match === null) throw new BadParameter(name, `${quoted(text)} is not \`lat,lon\``);
  const [lat, lon] = [Number(match[1]), Number(match[2])];
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) throw new BadParameter(name, `${quoted(text)} is not on the earth`);
  return { lat, lon };
}

/** Default begin and end of a window. */
const MORNING = { startTime: '07:30', endTime: '08:30' };

/** The window of departures: `date`, `startTime` and `endTime` on the graph's clocks, epoch seconds. */
export function departures(
  query: Query,
  clocks: Clocks,
  nowMs: number,
  standard = MORNING,
): { fromEpoch: number; toEpoch: number } {
  const date = calendarDate(query.text('date') ?? 'today', clocks, nowMs);
  const at = (name: 'startTime' | 'endTime') =>
    zonedToEpoch({ ...date, ...clockTime(name, query.text(name) ?? standard[name]) }, clocks);
  const [fromEpoch, toEpoch] = [at('startTime'), at('endTime')];
  if (toEpoch < fromEpoch) throw new BadParameter('endTime', 'is before startTime');
  return { fromEpoch, toEpoch };
}

type CalendarDate = Pick<WallClock, 'year' | 'month' | 'day'>;

function calendarDate(text: string, clocks: Clocks, nowMs: number): CalendarDate {
  if (text === 'today') return wallClock(nowMs / 1000, clocks);
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.slice(0, 20));
  const [year, month, day] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3])];
  const days = month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31;
  const exists = year >= 2000 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= days;
  if (!exists) throw new BadParameter('date', `${quoted(text)} is not \`YYYY-MM-DD\` of 2000 to 2100, nor \`today\``);
  return { year, month, day };
}

function clockTime(name: string, text: string): Pick<WallClock, 'hour' | 'minute' | 'second'> {
  const match = /^(\d{1,2})(?::(\d{1,2}))?(?::(\d{1,2}))?$/.exec(text.slice(0, 20));
  const [hour, minute, second] = [Number(match?.[1]), Number(match?.[2] ?? 0), Number(match?.[3] ?? 0)];
  if (match === null || hour > 23 || minute > 59 || second > 59) {
    throw new BadParameter(name, `${quoted(text)} is not \`H[:mm[:ss]]\``);
  }
  return { hour, minute, second };
}

function streetModes(query: Query, name: string, standard: string): ProfileMode[] {
  const tokens = (query.text(name) ?? standard).split(',');
  return tokens.map((token) => {
    const { mode, qualifiers } = parseQualifiedMode(token.trim(), name);
    const parked = qualifiers.includes('PARK');
    if (mode === 'WALK') return 'WALK';
    if (mode === 'BICYCLE') return qualifiers.includes('RENT') ? 'BICYCLE_RENT' : parked ? 'BICYCLE_PARK' : 'BICYCLE';
    if (mode === 'CAR') return parked ? 'CAR_PARK' : 'CAR';
    throw new BadParameter(name, `${quoted(token)} is not a street mode`);
  });
}

function transitModes(query: Query): Array<Mode | 'TRANSIT'> {
  const tokens = (query.text('transitModes') ?? 'TRANSIT').split(',');
  return tokens.map((token) => {
    const { mode } = parseQualifiedMode(token.trim(), 'transitModes');
    const isTransit = mode === 'TRANSIT' || TRANSIT_MODES.includes(mode as (typeof TRANSIT_MODES)[number]);
    if (!isTransit) throw new BadParameter('transitModes', `${quoted(token)} is not a transit mode`);
    return mode;
  });
}

/** Descriptions of these parameters. */
export const PROFILE_PARAMETERS: readonly ParameterSchema[] = [
  parameter.text('from', '`lat,lon`', { required: true }),
  parameter.text('to', '`lat,lon`; not needed with `analyst`'),
  parameter.boolean('analyst', 'Surfaces instead of options', { default: false }),
  parameter.text('date', '`YYYY-MM-DD` or `today`', { default: 'today' }),
  parameter.text('startTime', 'First departure, `H[:mm[:ss]]`', { default: '07:30' }),
  parameter.text('endTime', 'Last departure, `H[:mm[:ss]]`', { default: '08:30' }),
  ...described('number', SPEEDS, {
    walkSpeed: 'Walking speed, m/s',
    bikeSpeed: 'Cycling speed, m/s',
    carSpeed: 'Speed of cars, m/s; streets have their own speeds',
  }),
  ...described('integer', INTEGERS, {
    streetTime: 'Longest option without transit, minutes',
    maxWalkTime: 'Longest way to or from a stop on foot, minutes',
    maxBikeTime: 'Longest way to or from a stop by bike, minutes',
    maxCarTime: 'Longest way to or from a stop by car, minutes',
    limit: 'Most options per access mode; 0: all',
    suboptimal: 'Minutes that an option may take longer than the shortest certain one',
    bikeSafe: 'Weight of safety for cyclists',
    bikeSlope: 'Weight of slopes for cyclists',
    bikeTime: 'Weight of time for cyclists',
  }),
  parameter.integer('minBikeTime', 'Checked (0 to maxBikeTime), without effect', { default: 1 }),
  parameter.integer('minCarTime', 'Shortest way to a stop by car, minutes', { default: 1 }),
  parameter.text('orderBy', 'By which time options are ordered', { enum: ORDERS, default: 'AVG' }),
  parameter.text('accessModes', 'Ways to the first stop', { default: 'WALK,BICYCLE' }),
  parameter.text('egressModes', 'Ways from the last stop', { default: 'WALK' }),
  parameter.text('directModes', 'Ways without transit', { default: 'WALK,BICYCLE' }),
  parameter.text('transitModes', 'Vehicles', { default: 'TRANSIT' }),
  parameter.text('banAgency', 'Agency id that the analysis leaves out; only with `analyst`'),
];

function described<T extends string>(
  type: 'number' | 'integer',
  bounds: Record<T, Bounds>,
  texts: Record<T, string>,
): ParameterSchema[] {
  return (Object.keys(texts) as T[]).map((name) => {
    const { least, most, standard } = bounds[name];
    return { name, schema: { type, minimum: least, maximum: most, default: standard }, description: texts[name] };
  });
}
