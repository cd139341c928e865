/**
 * Reads the parameters of `profile`, which differ from those of other resources: checks them, fills in the interface's
 * defaults, and converts them to the addon's units.
 */

import { modesOf, TRANSIT_MODES } from '../../../native/modes.js';
import { INT_MAX } from '../../../native/number-limits.js';
import type { Mode, ProfileMode, ProfileRequest } from '../../../native/types.js';
import { quoted } from '../../../quoted.js';
import { type CalendarDate, type Clocks, type ClockTime, wallClock, zonedToEpoch } from '../../../zoned-time.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { SCENARIO } from '../../params/descriptions.js';
import { parseQualifiedMode } from '../../params/modes.js';
import { type Parameter, parameter, parameters } from '../../params/parameter-schema.js';
import { isOnEarth } from '../../params/place.js';
import type { Query } from '../../params/query.js';

/** The request of a profile, and what the analysis of an agency needs too. */
export interface ProfileQuery {
  readonly request: ProfileRequest;
  /** Return travel times to everywhere instead of options. */
  readonly analyst: boolean;
  /** Agency whose vehicles the analysis leaves out. */
  readonly bannedAgency: string | undefined;
}

/** A whole number from `minimum` to `maximum`. */
const whole = (minimum: number, maximum: number, standard: number, description: string) =>
  parameter.integer(description, { minimum, maximum, default: standard });
const speed = (minimum: number, maximum: number, standard: number, description: string) =>
  parameter.decimal(description, { minimum, maximum, default: standard });

/** Longest times, minutes, and largest weights. */
const LONGEST = 480;
const HEAVIEST = 1000;

/** The place and the window of departures. */
export const WINDOW = parameters({
  from: parameter.text('`lat,lon`'),
  date: parameter.text('`YYYY-MM-DD` or `today`', { default: 'today' }),
  startTime: parameter.text('First departure, `H[:mm[:ss]]`', { default: '07:30' }),
  endTime: parameter.text('Last departure, `H[:mm[:ss]]`', { default: '08:30' }),
});

/** All parameters of `profile`. */
export const PROFILE = {
  ...WINDOW,
  ...parameters({
    from: parameter.text('`lat,lon`', { required: true }),
    to: parameter.text('`lat,lon`; not needed with `analyst`'),
    analyst: parameter.boolean('Surfaces instead of options', { default: false }),
    walkSpeed: speed(0.5, 7, 1.4, 'Walking speed, m/s'),
    bikeSpeed: speed(1, 21, 4.1, 'Cycling speed, m/s'),
    carSpeed: speed(1, 36, 20, 'Checked (1 to 36 m/s), without effect: streets have their own speeds'),
    streetTime: whole(1, LONGEST, 90, 'Longest option without transit, minutes'),
    maxWalkTime: whole(1, LONGEST, 15, 'Longest walk to or from a stop, minutes'),
    maxBikeTime: whole(1, LONGEST, 20, 'Longest bike ride to or from a stop, minutes'),
    maxCarTime: whole(1, LONGEST, 30, 'Longest drive to or from a stop, minutes'),
    limit: whole(0, INT_MAX, 15, 'Most options per access mode; 0: all'),
    suboptimal: whole(
      0,
      30,
      5,
      'Options whose least time is more than this many minutes above the greatest time of another are left out',
    ),
    bikeSafe: whole(0, HEAVIEST, 1, 'Weight of safety for cyclists'),
    bikeSlope: whole(0, HEAVIEST, 1, 'Weight of slopes for cyclists'),
    bikeTime: whole(0, HEAVIEST, 1, 'Weight of time for cyclists'),
    minBikeTime: parameter.integer('Checked (0 to maxBikeTime), without effect', { default: 1 }),
    minCarTime: parameter.integer('Shortest drive to a stop, minutes; at most maxCarTime', { default: 1 }),
    orderBy: parameter.choice(['MIN', 'AVG', 'MAX'], 'By which time options are ordered', { default: 'AVG' }),
    accessModes: parameter.text('Modes to the first stop', { default: 'WALK,BICYCLE' }),
    egressModes: parameter.text('Modes from the last stop', { default: 'WALK' }),
    directModes: parameter.text('Modes for travelling without transit', { default: 'WALK,BICYCLE' }),
    transitModes: parameter.text('Modes of transit', { default: 'TRANSIT' }),
    banAgency: parameter.text('Agency id that the analysis leaves out; only with `analyst`'),
  }),
  ...SCENARIO,
};

/**
 * Reads a profile's parameters.
 *
 * @param nowMs the present, epoch milliseconds, for `date=today`.
 * @throws BadParameter naming the first one that is missing, malformed or out of range.
 */
export function profileQuery(query: Query, clocks: Clocks, nowMs: number): ProfileQuery {
  const analyst = query.value(PROFILE.analyst);
  const from = coordinate(query, PROFILE.from);
  if (from === undefined) throw new BadParameter('from', '`lat,lon` is required');
  const to = coordinate(query, PROFILE.to);
  if (to === undefined && !analyst) throw new BadParameter('to', '`lat,lon` is required');
  const minutes = (parameter: Parameter<number>) => 60 * query.value(parameter);
  const [bikeSeconds, carSeconds] = [minutes(PROFILE.maxBikeTime), minutes(PROFILE.maxCarTime)];
  shortest(query, PROFILE.minBikeTime, bikeSeconds);
  const request: ProfileRequest = {
    from,
    to: to ?? from,
    ...departures(query, clocks, nowMs),
    walkSpeed: query.value(PROFILE.walkSpeed),
    bikeSpeed: query.value(PROFILE.bikeSpeed),
    carSpeed: query.value(PROFILE.carSpeed),
    streetSeconds: minutes(PROFILE.streetTime),
    walkSeconds: minutes(PROFILE.maxWalkTime),
    bikeSeconds,
    carSeconds,
    minCarSeconds: shortest(query, PROFILE.minCarTime, carSeconds),
    orderBy: query.value(PROFILE.orderBy),
    limit: query.value(PROFILE.limit),
    suboptimalSeconds: minutes(PROFILE.suboptimal),
    bikeTriangle: [PROFILE.bikeSafe, PROFILE.bikeSlope, PROFILE.bikeTime].map((weight) => query.value(weight)),
    accessModes: streetModes(query, PROFILE.accessModes),
    egressModes: streetModes(query, PROFILE.egressModes),
    directModes: streetModes(query, PROFILE.directModes),
    transitModes: transitModes(query),
  };
  return { request, analyst, bannedAgency: query.value(PROFILE.banAgency) };
}

/** The shortest time of a mode, seconds. Throws `BadParameter` if it is more than the longest time. */
function shortest(query: Query, parameter: Parameter<number>, longestSeconds: number): number {
  const longest = longestSeconds / 60;
  const minutes = query.given(parameter) ?? Math.min(1, longest);
  if (minutes >= 0 && minutes <= longest) return 60 * minutes;
  throw new BadParameter(parameter.name, `${minutes} is not in range [0,${longest}]`);
}

const COORDINATE = /^\s*([+-]?\d{1,4}(?:\.\d*)?(?:e-\d{1,3})?)\s*,\s*([+-]?\d{1,4}(?:\.\d*)?(?:e-\d{1,3})?)\s*$/i;

/** Reads `lat,lon`. */
export function coordinate(
  query: Query,
  parameter: Parameter<string | undefined>,
): { lat: number; lon: number } | undefined {
  const { name } = parameter;
  const text = query.given(parameter);
  if (text === undefined) return undefined;
  const match = COORDINATE.exec(text.slice(0, 200));
  if (match === null) throw new BadParameter(name, `${quoted(text)} is not \`lat,lon\``);
  const [lat, lon] = [Number(match[1]), Number(match[2])];
  if (!isOnEarth(lat, lon)) throw new BadParameter(name, `${quoted(text)} is not a valid position`);
  return { lat, lon };
}

/** The window of departures: `date`, `startTime` and `endTime` on the graph's clocks, epoch seconds. */
export function departures(
  query: Query,
  clocks: Clocks,
  nowMs: number,
  standard: { startTime?: string; endTime?: string } = {},
): { fromEpoch: number; toEpoch: number } {
  const date = calendarDate(query.value(WINDOW.date), clocks, nowMs);
  const at = (name: 'startTime' | 'endTime') =>
    zonedToEpoch(
      { ...date, ...clockTime(name, query.given(WINDOW[name]) ?? standard[name] ?? query.value(WINDOW[name])) },
      clocks,
    );
  const [fromEpoch, toEpoch] = [at('startTime'), at('endTime')];
  if (toEpoch < fromEpoch) throw new BadParameter('endTime', 'is before startTime');
  return { fromEpoch, toEpoch };
}

function calendarDate(text: string, clocks: Clocks, nowMs: number): CalendarDate {
  if (text === 'today') return wallClock(nowMs / 1000, clocks);
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.slice(0, 20));
  const [year, month, day] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3])];
  const days = month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31;
  const exists = year >= 2000 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= days;
  if (!exists) throw new BadParameter('date', `${quoted(text)} is not \`YYYY-MM-DD\` of 2000 to 2100, nor \`today\``);
  return { year, month, day };
}

function clockTime(name: string, text: string): ClockTime {
  const match = /^(\d{1,2})(?::(\d{1,2}))?(?::(\d{1,2}))?$/.exec(text.slice(0, 20));
  const [hour, minute, second] = [Number(match?.[1]), Number(match?.[2] ?? 0), Number(match?.[3] ?? 0)];
  if (match === null || hour > 23 || minute > 59 || second > 59) {
    throw new BadParameter(name, `${quoted(text)} is not \`H[:mm[:ss]]\``);
  }
  return { hour, minute, second };
}

function streetModes(query: Query, parameter: Parameter<string>): ProfileMode[] {
  const { name } = parameter;
  return modesOf(query.value(parameter)).map((token) => {
    const { mode, qualifiers } = parseQualifiedMode(token, name);
    const parked = qualifiers.includes('PARK');
    if (mode === 'WALK') return 'WALK';
    if (mode === 'BICYCLE') return qualifiers.includes('RENT') ? 'BICYCLE_RENT' : parked ? 'BICYCLE_PARK' : 'BICYCLE';
    if (mode === 'CAR') return parked ? 'CAR_PARK' : 'CAR';
    throw new BadParameter(name, `${quoted(token)} is not a street mode`);
  });
}

function transitModes(query: Query): Array<Mode | 'TRANSIT'> {
  return modesOf(query.value(PROFILE.transitModes)).map((token) => {
    const { mode } = parseQualifiedMode(token, 'transitModes');
    const isTransit = mode === 'TRANSIT' || TRANSIT_MODES.includes(mode as (typeof TRANSIT_MODES)[number]);
    if (!isTransit) throw new BadParameter('transitModes', `${quoted(token)} is not a transit mode`);
    return mode;
  });
}
