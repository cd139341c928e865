/** Descriptions of jobs as clients send them. */

import { LONGEST_MATRIX_SECONDS } from '../../../analysis/matrix.js';
import { ConfigError, refuseWarnings } from '../../../config/diagnostic.js';
import { parseDocument } from '../../../config/document.js';
import { BOOLEAN, type Field, type Fields, NUMBER, POSITIVE, read, TEXT } from '../../../config/fields.js';
import { type JsonSchema, memberSchemas } from '../../../config/json-schema.js';
import { HttpError } from '../../../http-error.js';
import { HIGHEST_PRIORITY, JOB_KINDS, type JobKind, LIMITS } from '../../../jobs/job.js';
import { BadParameter } from '../../params/bad-parameter.js';
import { ROUTING } from '../../params/descriptions.js';
import { PLACES_SCHEMA, places } from '../../params/place.js';
import { parseJsonObject } from '../../request/small-body.js';
import { LEAST_STEP, MOST_MINUTES } from '../surfaces/window-surfaces.js';

/** Places: the id of a point set, or lat, lon, lat, lon, ... */
export type SentPlaces = string | Float64Array;

/** A description; only its form has been checked. */
export interface JobDescription {
  readonly kind: JobKind;
  readonly origins: SentPlaces;
  readonly destinations?: SentPlaces;
  readonly name?: string;
  readonly priority?: number;
  readonly partOrigins?: number;
  readonly scenarios?: readonly string[];
  /** Query parameters of the search. */
  readonly routing?: Readonly<Record<string, string | number | boolean>>;
  readonly maxTimeSec?: number;
  readonly cutoffSec?: readonly number[];
  readonly precisionMeters?: number;
  readonly offRoadDistanceMeters?: number;
  readonly cutoffMinutes?: readonly number[];
  readonly window?: number;
  readonly step?: number;
  readonly percentiles?: ReadonlyArray<string | number>;
  readonly opportunities?: readonly string[];
}

interface Member {
  readonly field: Field;
  readonly summary: string;
  /** The only kind of job that has it. */
  readonly of?: JobKind;
}

const list = (items: Field): Field => ({ kind: 'list', items });
const within = (minimum: number, maximum: number): Field => ({ kind: 'number', integer: true, minimum, maximum });
const VALUE: Field = { kind: 'either', choices: [BOOLEAN, NUMBER, TEXT], expected: 'a text, a number or a flag' };
const STATISTIC: Field = { kind: 'either', choices: [NUMBER, TEXT], expected: 'a number or a text' };

/** A member that jobs of one kind have. */
const member = (of: JobKind, field: Field, summary: string): Member => ({ field, summary: `${of}: ${summary}`, of });

/** Parameters for which a job has members of its own. */
const OF_THE_JOB: ReadonlySet<string> = new Set(['fromPlace', 'toPlace', 'scenario']);

/** Every member apart from the places. */
const MEMBERS: Readonly<Record<Exclude<keyof JobDescription, 'origins' | 'destinations'>, Member>> = {
  kind: { field: { kind: 'string', oneOf: JOB_KINDS }, summary: 'what is computed for each origin' },
  name: { field: TEXT, summary: 'a readable name' },
  priority: { field: within(0, HIGHEST_PRIORITY), summary: 'jobs with a higher priority come first; 5 when absent' },
  partOrigins: { field: within(1, LIMITS.partOrigins), summary: 'origins per part of the work' },
  scenarios: { field: list(TEXT), summary: 'ids of scenarios of the router; an empty id is its schedule' },
  routing: {
    field: { kind: 'map', values: VALUE, names: Object.keys(ROUTING).filter((name) => !OF_THE_JOB.has(name)) },
    summary: 'query parameters of the search: `date`, `time`, `mode`, …',
  },
  maxTimeSec: member('matrix', within(1, LONGEST_MATRIX_SECONDS), 'longest time, seconds; 7200 when absent'),
  cutoffSec: member('isochrones', list(within(1, 86_400)), 'times in seconds'),
  precisionMeters: member(
    'isochrones',
    within(10, 10_000),
    'width of a cell of the sampling grid, metres; 200 when absent',
  ),
  offRoadDistanceMeters: member(
    'isochrones',
    within(10, 10_000),
    'longest straight line from a street, metres; 150 when absent',
  ),
  cutoffMinutes: member('accessibility', list(within(1, 500)), 'times in minutes'),
  window: member('accessibility', within(1, MOST_MINUTES), 'minutes of departures; one departure when absent'),
  step: member(
    'accessibility',
    { ...POSITIVE, minimum: LEAST_STEP } as Field,
    'seconds between departures; 60 when absent',
  ),
  percentiles: member('accessibility', list(STATISTIC), '0 to 100, `min`, `avg`, `max`; 50 when absent'),
  opportunities: member(
    'accessibility',
    list(TEXT),
    'amounts of the destinations, or else `count` for their number; all when absent',
  ),
};

const FIELDS: Fields = Object.fromEntries(Object.entries(MEMBERS).map(([name, { field }]) => [name, field]));

const PLACES: JsonSchema = { anyOf: [{ type: 'string', description: 'id of a point set' }, PLACES_SCHEMA] };

/** JSON Schema of a description. */
export const JOB_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    origins: { ...PLACES, description: '`[lat, lon]` in degrees, or the id of a point set' },
    destinations: { ...PLACES, description: 'the same, of matrices and accessibility' },
    ...memberSchemas(MEMBERS),
  },
  required: ['kind', 'origins'],
};

/** Reads a description. Throws `HttpError` 400 that names the member. */
export function readJobDescription(text: string): JobDescription {
  const { origins, destinations, ...rest } = parseJsonObject(text);
  const members = readMembers(rest);
  if (members.kind === undefined) throw new BadParameter('kind', `is required: ${JOB_KINDS.join(', ')}`);
  requireMembersOf(members.kind, members);
  if (origins === undefined)
    throw new BadParameter('origins', 'a list of [lat, lon] or the id of a point set is required');
  const description = { ...members, kind: members.kind, origins: sentPlaces(origins, 'origins') };
  return destinations === undefined
    ? description
    : { ...description, destinations: sentPlaces(destinations, 'destinations') };
}

/** Refuses members of other kinds, for the same reason as unknown names. */
function requireMembersOf(kind: JobKind, members: Partial<JobDescription>): void {
  for (const name of Object.keys(members)) {
    const { of } = MEMBERS[name as keyof typeof MEMBERS];
    if (of !== undefined && of !== kind) throw new BadParameter(name, `is a member of ${of} jobs, not of ${kind} jobs`);
  }
}

/** An unknown name is an error, because a job that does not do what was intended may run for hours. */
function readMembers(members: Record<string, unknown>): Partial<JobDescription> {
  try {
    const warnings: Parameters<typeof read>[2] = [];
    const values = read(parseDocument(JSON.stringify(members), 'job'), { kind: 'object', fields: FIELDS }, warnings);
    refuseWarnings(warnings);
    return { ...(values as Partial<JobDescription>) };
  } catch (error) {
    if (error instanceof ConfigError) throw new BadParameter(error.place.key, error.expected);
    // The calls nest deeper than the parser's stack allows.
    if (error instanceof RangeError) throw new HttpError(400, 'the body is nested too deeply\n');
    throw error;
  }
}

function sentPlaces(value: unknown, name: string): SentPlaces {
  if (value === '') throw new BadParameter(name, 'is empty');
  if (typeof value === 'string') return value;
  const positions = places(value, name);
  if (positions.length === 0) throw new BadParameter(name, 'is empty');
  return positions;
}
