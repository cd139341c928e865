/** Reads a scenario: a description and modifications of the schedule, checked as far as possible without a schedule. */

import { ConfigError, type ConfigWarning, warningText } from '../config/diagnostic.js';
import { type ConfigNode, parseDocument } from '../config/document.js';
import { type ConfigValue, read } from '../config/fields.js';
import type { ScenarioModification } from '../native/types.js';
import { fieldsOf, MAX_SECONDS, MODIFICATIONS, TRIP_SELECTION } from './scenario-fields.js';

/** A scenario that can be applied to a schedule. */
export interface Scenario {
  readonly description: string;
  readonly modifications: readonly Modification[];
}

/** One modification: as written, in the engine's form, and with warnings. */
interface Modification {
  readonly written: Readonly<Record<string, ConfigValue>>;
  readonly native: ScenarioModification;
  readonly warnings: readonly string[];
}

/** A scenario that cannot be read; the message names the member. */
export class UnusableScenario extends Error {}

/** Most modifications of one scenario. */
const MAX_MODIFICATIONS = 500;

const NO_DESCRIPTION = 'no description provided';

/** Members that answers have and that may be sent back. */
const ANSWERED = ['warnings', 'changed'];

/** Reads a document. Throws `UnusableScenario`. */
export function readScenario(text: string): Scenario {
  try {
    return toScenario(parseDocument(text, 'scenario'));
  } catch (error) {
    if (error instanceof ConfigError) {
      throw new UnusableScenario(error.place.key === '' ? error.expected : `${error.place.key}: ${error.expected}`);
    }
    throw error;
  }
}

function toScenario(root: ConfigNode): Scenario {
  if (root.kind !== 'object') throw new UnusableScenario('expected an object with modifications');
  const find = (name: string) => root.members.find((member) => member.name === name)?.value;
  const description = find('description');
  const modifications = find('modifications');
  if (modifications?.kind !== 'list') throw new UnusableScenario('modifications: expected a list');
  if (modifications.items.length > MAX_MODIFICATIONS) {
    throw new UnusableScenario(`modifications: there are more than ${MAX_MODIFICATIONS}`);
  }
  return {
    description: description === undefined ? NO_DESCRIPTION : String(read(description, { kind: 'string' }, [])),
    modifications: modifications.items.map(readModification),
  };
}

function readModification(node: ConfigNode): Modification {
  const { key } = node.place;
  if (node.kind !== 'object') throw new UnusableScenario(`${key}: expected an object`);
  const named = node.members.find(({ name }) => name === 'type')?.value;
  if (named === undefined) throw new UnusableScenario(`${key}.type: is missing`);
  const type = String(read(named, { kind: 'string', oneOf: Object.keys(MODIFICATIONS) }, []));
  const known = MODIFICATIONS[type] ?? {};
  const members = node.members.filter(({ name }) => name !== 'type' && !ANSWERED.includes(name));
  const odd: ConfigWarning[] = [];
  const field = { kind: 'object', fields: fieldsOf(known) } as const;
  const values = read({ ...node, members }, field, odd) as Record<string, ConfigValue>;
  for (const [name, { required }] of Object.entries(known)) {
    if (required && values[name] === undefined) throw new UnusableScenario(`${key}.${name}: is missing`);
  }
  return {
    written: { type, ...values },
    native: native(type, values, key),
    warnings: odd.map((warning) => `${warning.key.slice(key.length + 1)}: ${warningText(warning)}`),
  };
}

type Values = Readonly<Record<string, ConfigValue>>;

/** Types that select no trips. */
const WITHOUT_TRIPS = ['add-trip-pattern', 'move-stop', 'transfer-rule'];

/** Members that have another form in the engine, by type: ids always as lists, times as seconds. */
const CONVERTED: Readonly<Record<string, (values: Values, key: string) => Record<string, unknown>>> = {
  'adjust-dwell-time': ({ stopId = [] }) => ({ stopId: list(stopId) }),
  'skip-stop': ({ stopId = [] }) => ({ stopId: list(stopId) }),
  'adjust-headway': (values, key) => clocks(values, ['windowStart', 'windowEnd'], key),
  'convert-to-frequency': (values, key) => ({
    groupBy: values.groupBy ?? 'ROUTE_DIRECTION',
    ...clocks({ windowStart: 0, windowEnd: MAX_SECONDS, ...values }, ['windowStart', 'windowEnd'], key),
  }),
  'add-trip-pattern': (values, key) => ({
    timetables: (values.timetables as readonly Values[]).map((timetable, i) =>
      nativeTimetable(timetable, `${key}.timetables[${i}]`),
    ),
  }),
};

/** The engine's form, with the conditions for trips together. */
function native(type: string, values: Values, key: string): ScenarioModification {
  const selects = !WITHOUT_TRIPS.includes(type);
  const own = Object.entries(values).filter(([name]) => !selects || !(name in TRIP_SELECTION));
  return {
    type,
    ...Object.fromEntries(own),
    ...(selects ? { trips: tripSelection(values) } : {}),
    ...CONVERTED[type]?.(values, key),
  } as ScenarioModification;
}

function tripSelection(values: Values): Record<string, unknown> {
  const given = Object.keys(TRIP_SELECTION).filter((name) => values[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => [name, name === 'directionId' ? values[name] : list(values[name] ?? [])]),
  );
}

function nativeTimetable(values: Values, key: string): Record<string, unknown> {
  const departures = values.departures as readonly ConfigValue[] | undefined;
  return {
    ...values,
    ...clocks(values, ['startTime', 'endTime'], key),
    ...(departures === undefined
      ? {}
      : { departures: departures.map((time, i) => clock(time, `${key}.departures[${i}]`)) }),
  };
}

/** Those of the members that are given, as seconds. */
function clocks(values: Values, names: readonly string[], key: string): Record<string, number> {
  const given = names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  return Object.fromEntries(given.map(([name, value]) => [name, clock(value, `${key}.${name}`)]));
}

function list(value: ConfigValue): readonly ConfigValue[] {
  return Array.isArray(value) ? value : [value];
}

const CLOCK = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/;

function clock(value: ConfigValue, key: string): number {
  const parts = typeof value === 'string' ? CLOCK.exec(value.trim()) : null;
  const seconds = parts === null ? value : Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  if (typeof seconds !== 'number' || !(seconds <= MAX_SECONDS))
    throw new UnusableScenario(`${key}: expected seconds or HH:MM:SS`);
  return seconds;
}
