/** router-config.json: request defaults, time limits, log and updaters of one router. */

import { TRANSIT_MODES } from '../native/modes.js';
import { warnOfContradictions } from './contradicting-defaults.js';
import type { ConfigWarning } from './diagnostic.js';
import { memberOf, parseDocument } from './document.js';
import {
  AMOUNT,
  BOOLEAN,
  type ConfigValue,
  DELAY,
  type Field,
  type Fields,
  type MemberFault,
  read,
  TEXT,
  unused,
} from './fields.js';
import { ROUTING_DEFAULT_KEYS } from './routing-default-keys.js';
import { UPDATER } from './updaters.js';

/** Configuration of one updater; the other members depend on its `type`. */
export type UpdaterConfig = Readonly<Record<string, ConfigValue>>;

/** A router's configuration with the defaults filled in. */
export interface RouterConfig {
  /** Routing parameters by their interface name. */
  readonly routingDefaults: Readonly<Record<string, ConfigValue>>;
  /** Seconds for the 1st, 2nd, … itinerary from the start of the search; the last repeats. */
  readonly timeouts: readonly number[];
  /** One line per plan request is appended to this file. */
  readonly requestLogFile?: string;
  /** Seconds added on boarding, by mode name. */
  readonly boardTimes: Readonly<Record<string, number>>;
  /** Seconds added on alighting, by mode name. */
  readonly alightTimes: Readonly<Record<string, number>>;
  readonly updaters: readonly UpdaterConfig[];
  /** Whether it came in an uploaded graph, so that it is not the operator's own. */
  readonly uploaded: boolean;
}

/** The built-in defaults. */
export const EMPTY_ROUTER_CONFIG: RouterConfig = {
  routingDefaults: {},
  timeouts: [5, 4, 2],
  boardTimes: {},
  alightTimes: {},
  updaters: [],
  uploaded: false,
};

const MODE_TIMES: Field = { kind: 'map', values: DELAY, names: TRANSIT_MODES };

/** Searches count milliseconds, so no plan would be made in less. */
const LEAST_TIMEOUT = 0.001;

/** The first limit must not be 0. A later one may: a plan then has the itineraries that were found before it. */
function faultOf({ timeouts }: Readonly<Record<string, ConfigValue>>): MemberFault | undefined {
  const first = Array.isArray(timeouts) ? timeouts[0] : undefined;
  if (first === undefined || first >= LEAST_TIMEOUT) return undefined;
  return { member: 'timeouts', reason: `expected a first limit of at least ${LEAST_TIMEOUT} s, found ${first}` };
}

/** What the file may contain. */
export const ROUTER_CONFIG_FIELDS: Fields = {
  routingDefaults: { kind: 'object', fields: ROUTING_DEFAULT_KEYS },
  timeout: { kind: 'number', minimum: LEAST_TIMEOUT },
  timeouts: { kind: 'list', items: AMOUNT },
  requestLogFile: TEXT,
  boardTimes: MODE_TIMES,
  alightTimes: MODE_TIMES,
  useFlexService: unused(BOOLEAN),
  updaters: {
    kind: 'either',
    choices: [
      { kind: 'list', items: UPDATER },
      { kind: 'map', values: UPDATER },
    ],
    expected: 'a list of updaters or an object of them',
  },
};

/** Reads the text of `file`. Throws `ConfigError`; unknown keys and those without effect come back as warnings. */
export function parseRouterConfig(text: string, file: string): { config: RouterConfig; warnings: ConfigWarning[] } {
  const warnings: ConfigWarning[] = [];
  const document = parseDocument(text, file);
  const found = read(document, { kind: 'object', fields: ROUTER_CONFIG_FIELDS, faultOf }, warnings) as Partial<
    Omit<RouterConfig, 'updaters'> & { timeout: number; updaters: UpdaterConfig[] | Record<string, UpdaterConfig> }
  >;
  const defaults = memberOf(document, 'routingDefaults');
  warnOfContradictions(defaults?.value, found.routingDefaults ?? {}, warnings);
  const { timeout, updaters = [], ...rest } = found;
  const timeouts = found.timeouts ?? (timeout === undefined ? undefined : [timeout]);
  return {
    config: {
      ...EMPTY_ROUTER_CONFIG,
      ...rest,
      timeouts: timeouts === undefined || timeouts.length === 0 ? EMPTY_ROUTER_CONFIG.timeouts : timeouts,
      updaters: Array.isArray(updaters) ? updaters : Object.values(updaters),
    },
    warnings,
  };
}
